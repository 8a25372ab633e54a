/** Progress of a running command: the output of a stream since the last report, or its last 4,096 characters. */
export interface LiveOutput {
  stream: "stdout" | "stderr";
  text: string;
}

/** Reports output as it arrives, at most once in 100 ms, however often and much the program writes. */
export function createLiveOutput(stream: LiveOutput["stream"], report: (output: LiveOutput) => void) {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let pending = "";
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    timer = undefined;
    if (pending === "") return;
    const text = pending;
    pending = "";
    timer = setTimeout(flush, interval);
    report({ stream, text });
  }

  return {
    add(chunk: Uint8Array): void {
      pending = lastOf(pending + decoder.decode(chunk, { stream: true }));
      if (timer === undefined) flush();
    },
    /** Reports the remaining output. No report follows. */
    end(): void {
      pending = lastOf(pending + decoder.decode());
      clearTimeout(timer);
      flush();
      clearTimeout(timer);
    },
  };
}

const interval = 100;
const longest = 4096;

function lastOf(text: string): string {
  if (text.length <= longest) return text;
  const last = text.slice(-longest);
  return /^[\udc00-\udfff]/.test(last) ? last.slice(1) : last;
}

/** Progress of a running command: what a stream has printed since the last report, or the end of it if that is much. */
export interface LiveOutput {
  stream: "stdout" | "stderr";
  text: string;
}

/** Passes on output as it comes, but at most every tenth of a second a stream, however often and much is written. */
export function createLiveOutput(stream: LiveOutput["stream"], tell: (output: LiveOutput) => void) {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let pending = "";
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    timer = undefined;
    if (pending === "") return;
    const text = pending;
    pending = "";
    timer = setTimeout(flush, interval);
    tell({ stream, text });
  }

  return {
    add(chunk: Uint8Array): void {
      pending = lastOf(pending + decoder.decode(chunk, { stream: true }));
      if (timer === undefined) flush();
    },
    /** Tells what is left and falls silent. */
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

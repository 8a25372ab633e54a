import { type ChildProcess, fork } from "node:child_process";
import { createSlots } from "@cogency/async";
import { shownUrl } from "../address/check-url.ts";
import { withDeadline } from "../request/with-deadline.ts";
import { WebError } from "../web-error.ts";
import type { ReadableText } from "./readable-text.ts";
import { readerFlags } from "./reader-flags.ts";

interface Bounds {
  signal: AbortSignal;
  /** Milliseconds; 15,000 by default. */
  timeout?: number;
}

/**
 * `readableText` in a process of its own, which is killed when it takes too long or too much memory: no page, however
 * it is made, holds up this process or brings it down. A thread is not enough, since one that runs out of memory can
 * take the whole process with it. At most four pages are read at a time; the time of one that waits does not run yet.
 *
 * @throws WebError `too_complex`; on abort the signal's reason
 */
export function readApart(html: string, url: string, bounds: Bounds): Promise<ReadableText> {
  return slots.run(() => readInProcess(html, url, bounds), bounds.signal);
}

/** Each process may take half a gigabyte: a batch of many pages must not take the memory of the machine. */
const slots = createSlots(4);

async function readInProcess(html: string, url: string, { signal, timeout = 15_000 }: Bounds): Promise<ReadableText> {
  const reader = fork(readerFile, {
    execArgv: ["--max-old-space-size=512", ...readerFlags(readerFile)],
    env: {},
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    serialization: "advanced",
  });
  try {
    return await withDeadline({ url, timeout, signal }, () => answerOf(reader, { html, url }));
  } catch (error) {
    if (signal.aborted) throw error;
    const problem = error instanceof UnreadableError ? error.message : "it takes too much time or memory";
    const message = `"${shownUrl(url)}" cannot be read: ${problem}. Use another source.`;
    throw new WebError("too_complex", shownUrl(url), message, { cause: error });
  } finally {
    await end(reader);
  }
}

/** The memory of a process is free when it is gone, not when it was told to go. */
async function end(reader: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => reader.once("exit", resolve));
  if (reader.kill("SIGKILL")) await gone;
}

type Answer = { read: ReadableText } | { problem: string };

function answerOf(reader: ChildProcess, page: { html: string; url: string }): Promise<ReadableText> {
  return new Promise((resolve, reject) => {
    reader.once("message", (answer: Answer) => {
      if ("read" in answer) resolve(answer.read);
      else reject(new UnreadableError(answer.problem));
    });
    reader.on("error", reject);
    // Out of memory it ends by a signal; with 1 when its program is not where the build put it.
    reader.once("exit", (code) => {
      const end = () => reject(code === 1 ? new UnreadableError("its reader does not start") : new Error("killed"));
      // Its end may be known before its answer was read: on a busy machine both have come.
      if (reader.connected) reader.once("disconnect", end);
      else end();
    });
    reader.send(page, (error) => error && reject(error));
  });
}

class UnreadableError extends Error {
  override readonly name = "UnreadableError";
}

/** The build puts it beside the code; CommonJS has no `import.meta`, and ES modules have no `__filename`. */
const thisFile = typeof __filename === "string" ? __filename : import.meta.filename;
const readerFile = thisFile.replace(/[^/\\]+(\.[cm]?[jt]s)$/, "readable-process$1");

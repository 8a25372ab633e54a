import { type ChildProcess, fork } from "node:child_process";
import { createSlots } from "@cogency/async";
import { shownUrl } from "../address/check-url.ts";
import { withDeadline } from "../request/with-deadline.ts";
import { WebError } from "../web-error.ts";
import type { ReadableText } from "./readable-text.ts";
import { readerFlags } from "./reader-flags.ts";

interface Bounds {
  signal: AbortSignal;
  /** Milliseconds; defaults to 15,000. */
  timeout?: number;
}

/**
 * Runs `readableText` in a process of its own, which is killed when it takes too long or too much memory, so that no page can
 * stall or crash this process. A thread is not enough: one that runs out of memory can end the whole process. At most four
 * pages are read at a time; the time limit of a page starts when it is its turn.
 *
 * @throws WebError `too_complex`; on abort the signal's reason
 */
export function readApart(html: string, url: string, bounds: Bounds): Promise<ReadableText> {
  return slots.run(() => readInProcess(html, url, bounds), bounds.signal);
}

/** Each process may take half a gigabyte, so a batch of many pages could otherwise fill the memory of the machine. */
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

/** Waits for the exit, because the memory of a process is free only then. */
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
    // Out of memory ends it by a signal. Exit code 1 means that its program file is missing.
    reader.once("exit", (code) => {
      const end = () => reject(code === 1 ? new UnreadableError("its reader does not start") : new Error("killed"));
      // On a busy machine the exit may be reported before the answer is read, so wait until the channel is closed.
      if (reader.connected) reader.once("disconnect", end);
      else end();
    });
    reader.send(page, (error) => error && reject(error));
  });
}

class UnreadableError extends Error {
  override readonly name = "UnreadableError";
}

/** The build puts `readable-process` beside this file. CommonJS has no `import.meta`, and ES modules have no `__filename`. */
const thisFile = typeof __filename === "string" ? __filename : import.meta.filename;
const readerFile = thisFile.replace(/[^/\\]+(\.[cm]?[jt]s)$/, "readable-process$1");

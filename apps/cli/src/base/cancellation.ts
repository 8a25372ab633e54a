import { constants } from "node:os";
import { exitCodes } from "./errors/exit-code.ts";

/** Cancels a command on Ctrl-C, on the other signals that end a process, and when the reader of standard output leaves. */
export interface Cancellation {
  /**
   * Runs work that can finish in order. During it, the first of these signals aborts the signal of the work, and a second one but
   * SIGHUP exits at once. At any other time the first one exits at once.
   */
  during<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** The exit code if the work was cancelled. */
  readonly exitCode: number;
  /** Cancels because the reader has left, which is not a failure. May be called several times. */
  readerLeft(): void;
}

/**
 * Handles Ctrl-C, SIGTERM, SIGHUP (the terminal was closed) and SIGQUIT (Ctrl-\\) from now on: a process that they end by themselves leaves the
 * commands that it has started.
 */
export function listenForCancellation(): Cancellation {
  let current: AbortController | undefined;
  let exitCode: number | undefined;

  const cancel = (code: number, by: string) => {
    if (!current || current.signal.aborted) process.exit(code);
    exitCode = code;
    // Everything that listens to the signal recognizes a cancel by this name.
    current.abort(new DOMException(by, "AbortError"));
  };
  process.on("SIGINT", () => cancel(exitCodes.SIGINT, "Ctrl-C."));
  process.on("SIGTERM", () => cancel(exitCodes.SIGTERM, "SIGTERM."));
  process.on("SIGQUIT", () => cancel(128 + constants.signals.SIGQUIT, "SIGQUIT."));
  process.on("SIGHUP", () => {
    const code = 128 + constants.signals.SIGHUP;
    // A terminal that closes may send SIGHUP twice: once itself, and once through its shell. So a second one, unlike a second Ctrl-C,
    // does not mean that a person wants to leave at once.
    if (exitCode === undefined) cancel(code, "SIGHUP.");
    else exitCode = code;
  });

  return {
    async during(work) {
      current = new AbortController();
      try {
        return await work(current.signal);
      } finally {
        current = undefined;
      }
    },
    get exitCode() {
      return exitCode ?? exitCodes.done;
    },
    readerLeft() {
      // Called again for every line that is still written.
      if (exitCode === undefined) cancel(exitCodes.done, "the reader of the output has left.");
    },
  };
}

import { exitCodes } from "./errors/exit-code.ts";

/** What ends a command from outside: Ctrl-C, SIGTERM, or a reader of standard output who leaves. */
export interface Cancellation {
  /**
   * Work that can end in good order: while it goes on, what cancels aborts the signal, and only a second Ctrl-C or SIGTERM
   * exits at once. At any other time the first one does.
   */
  during<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** The exit code of work that was cancelled. */
  readonly exitCode: number;
  /** The reader has gone, which is not a failure. May be called several times. */
  readerLeft(): void;
}

/** From now on Ctrl-C and SIGTERM cancel. */
export function listenForCancellation(): Cancellation {
  let current: AbortController | undefined;
  let exitCode: number | undefined;

  const cancel = (code: number, by: string) => {
    if (!current || current.signal.aborted) process.exit(code);
    exitCode = code;
    // The name by which everything that heeds a signal knows a cancel.
    current.abort(new DOMException(by, "AbortError"));
  };
  process.on("SIGINT", () => cancel(exitCodes.SIGINT, "Ctrl-C."));
  process.on("SIGTERM", () => cancel(exitCodes.SIGTERM, "SIGTERM."));

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
      // Every line that is still written tells it once more.
      if (exitCode === undefined) cancel(exitCodes.done, "the reader of the output has left.");
    },
  };
}

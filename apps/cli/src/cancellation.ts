import { exitCodes } from "./exit-code.ts";
import { whenReaderLeaves } from "./output.ts";

/** What ends a run from outside. */
export interface Cancellation {
  readonly signal: AbortSignal;
  /** The exit code of a run that it ended. */
  readonly exitCode: number;
}

/**
 * From now on Ctrl-C and SIGTERM cancel, a second one of them exits at once; so does a reader of standard output who
 * leaves, which is nobody's failure.
 */
export function listenForCancellation(): Cancellation {
  const controller = new AbortController();
  let exitCode: number = exitCodes.SIGINT;

  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(exitCodes[name]);
      exitCode = exitCodes[name];
      controller.abort();
    });
  }
  whenReaderLeaves(() => {
    if (controller.signal.aborted) return;
    exitCode = exitCodes.done;
    controller.abort();
  });

  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode;
    },
  };
}

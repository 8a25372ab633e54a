import type { StopSignal } from "@cogency/tools/host";

/** The reason with which a run is aborted that is not over: `recover` goes on with it. */
export class Interruption extends Error {
  // As with `AbortSignal.timeout`: the run is interrupted, not cancelled.
  override readonly name = "TimeoutError";
  readonly stop: StopSignal;

  constructor(message: string, context: StopSignal["context"]) {
    super(message);
    this.stop = { reason: "time_limit", message, context };
  }
}

/** The run was asked to hand over (`handOver`), and has come to the end of a step. */
export function handedOver(): Interruption {
  return new Interruption("The run was asked to hand over. It is not over: `recover` goes on with it.", {
    handedOver: true,
  });
}

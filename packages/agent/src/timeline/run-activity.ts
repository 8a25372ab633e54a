import type { LogEvent } from "@cogency/protocol";
import { runErrorOf } from "../errors.ts";
import { openTrace } from "../log/trace-record.ts";
import { ConsumerLeft } from "../outlet.ts";
import type { RunResult } from "../run.ts";
import type { RunContext } from "../run-context.ts";

type Told = Omit<RunContext, "outlet">;

type Mode = "run" | "recover";

/** Puts the beginning of the run on the timeline. `log` is undefined if it was not read. */
export function tellStart({ timeline, settings }: Told, mode: Mode, log: readonly LogEvent[] | undefined): void {
  if (timeline.hasStarted) return;
  timeline.hasStarted = true;
  const { driver, provider, request } = settings;
  timeline.tell(() => {
    // A prompt begins a turn of its own.
    const traceparent = mode === "recover" ? openTrace(log ?? []) : undefined;
    return {
      type: "run_started",
      mode,
      driver: driver.name,
      provider: provider.name,
      model: request.model ?? provider.model,
      ...(log && { after: log.length }),
      ...(traceparent !== undefined && { traceparent }),
    };
  });
}

/** Puts the end of the run on the timeline, once it holds nothing any more. */
export async function toldEnd(context: Told, mode: Mode, work: () => Promise<RunResult>): Promise<RunResult> {
  try {
    const result = await work();
    tellEnd(context, mode, result);
    return result;
  } catch (error) {
    const { meter } = context;
    if (error instanceof ConsumerLeft) tellEnd(context, mode, { status: "stopped", stop: left, ...meter.tally });
    else tellEnd(context, mode, { status: "failed", error: runErrorOf(error, "driver"), ...meter.tally });
    throw error;
  }
}

const left = { reason: "user_requested", message: "The consumer left before the run was over.", context: {} } as const;

type End = Pick<RunResult, "status" | "stop" | "error" | "usage" | "cost">;

function tellEnd(context: Told, mode: Mode, { status, stop, error, usage, cost }: End): void {
  tellStart(context, mode, undefined);
  context.timeline.tell(() => ({
    type: "run_ended",
    status,
    ...(stop && { stop: { reason: stop.reason, message: stop.message, ...(stop.source && { source: stop.source }) } }),
    ...(error && { error: { code: error.code, message: error.message } }),
    usage,
    ...(cost !== undefined && { cost }),
  }));
}

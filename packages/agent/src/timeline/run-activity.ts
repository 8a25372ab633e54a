import type { LogEvent } from "@cogency/protocol";
import { openTrace } from "../log/trace-record.ts";
import type { RunResult } from "../run.ts";
import type { RunContext } from "../run-context.ts";

type Mode = "run" | "recover";

/** Puts the beginning of the run on the timeline. `log` is undefined if it was not read. */
export function tellStart({ timeline, settings }: RunContext, mode: Mode, log: readonly LogEvent[] | undefined): void {
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
export function tellEnd(context: RunContext, mode: Mode, { status, stop, error, usage, cost }: RunResult): void {
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

import type { LogEvent, RecordEvent } from "@cogency/protocol";
import type { RunContext } from "../run-context.ts";

/** The record of the trace that a turn is part of; none if nobody traces the run. Stored with the first words of the turn. */
export function traceRecords({ settings, timeline, conversation, user }: RunContext, timestamp: number): RecordEvent[] {
  const run = { id: timeline.id, conversation, ...(user !== undefined && { user }) };
  const traceparent = settings.listeners.traceOf(run);
  if (traceparent === undefined) return [];
  return [{ type: "record", kind: "trace", data: { traceparent }, timestamp }];
}

/** The trace of the last turn of a log; undefined if that has ended, was cancelled or has none. */
export function openTrace(log: readonly LogEvent[]): string | undefined {
  const last = log.findLast((event) => event.type === "cancelled" || isOf(event, "trace") || isOf(event, "run"));
  if (!last || !isOf(last, "trace")) return undefined;
  // A log from elsewhere may hold anything.
  const { traceparent } = (last.data ?? {}) as Partial<typeof last.data>;
  return typeof traceparent === "string" ? traceparent : undefined;
}

function isOf<Kind extends RecordEvent["kind"]>(event: LogEvent, kind: Kind): event is RecordEvent & { kind: Kind } {
  return event.type === "record" && event.kind === kind;
}

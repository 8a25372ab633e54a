import type { JsonObject, LogEvent, Proof } from "@cogency/protocol";
import type { ApprovalRecord } from "@cogency/tools/host";
import { approvalEvent, isAnswer, isRecord } from "./approval-records.ts";

export function answered(
  log: readonly LogEvent[],
  id: string,
  change: { [key in keyof ApprovalRecord]?: unknown },
): LogEvent[] {
  return log.map((event) => (isAnswer(event, id) ? approvalEvent({ ...event.data, ...change }) : event));
}

export function withProof(log: readonly LogEvent[], proof: Proof | undefined): LogEvent[] {
  return answered(log, "a", { proof });
}

export function bare(log: readonly LogEvent[]): LogEvent[] {
  return log.map((event) =>
    isRecord(event) ? approvalEvent({ ...event.data, question: undefined, proof: undefined }) : event,
  );
}

export function withRecords(log: readonly LogEvent[], change: object): LogEvent[] {
  return log.map((event) =>
    isRecord(event) && event.data.id === "a" ? approvalEvent({ ...event.data, ...change }) : event,
  );
}

export function withCall(log: readonly LogEvent[], content: string): LogEvent[] {
  return log.map((event) => (event.type === "call" && event.id === "a" ? { ...event, content } : event));
}

export function withArgs(log: readonly LogEvent[], args: JsonObject, name = "wipe"): LogEvent[] {
  return withCall(log, JSON.stringify({ name, args }));
}

export function exchangedIds(log: readonly LogEvent[]): LogEvent[] {
  return log.map((event) => (event.type === "call" ? { ...event, id: event.id === "a" ? "b" : "a" } : event));
}

export function exchangedRecords(log: readonly LogEvent[]): LogEvent[] {
  return log.map((event) =>
    isRecord(event) ? approvalEvent({ ...event.data, id: event.data.id === "a" ? "b" : "a" }) : event,
  );
}

export function recordsFirst(one: LogEvent, other: LogEvent): number {
  const rank = ({ type }: LogEvent) => ["user", "record", "call"].indexOf(type);
  return rank(one) - rank(other);
}

/** The log after both calls have ended and the user has written again. */
export function used(log: readonly LogEvent[]): LogEvent[] {
  const results = ["wiped", "refused"].map((content) => ({ tool: "wipe", status: "success", content }));
  return [
    ...log,
    { type: "record", kind: "started", data: { id: "a" }, timestamp: 9 },
    {
      type: "record",
      kind: "finished",
      data: { id: "a", result: { tool: "wipe", status: "success", content: "wiped" } },
      timestamp: 9,
    },
    {
      type: "result",
      content: JSON.stringify(results),
      payload: { tools_executed: 1, success_count: 1, failure_count: 1 },
      timestamp: 9,
    },
    { type: "respond", content: "Wiped.", timestamp: 9 },
    { type: "user", content: "Again?", timestamp: 9 },
  ];
}

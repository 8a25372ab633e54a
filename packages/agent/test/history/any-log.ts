import type { LogEvent } from "@cogency/protocol";
import fc from "fast-check";

const timestamp = 0;

export const record = (kind: string, data: unknown) => ({ type: "record", kind, data, timestamp }) as LogEvent;

export const user = (origin?: "nudge" | "notice" | "recovery" | "untrusted"): LogEvent => ({
  type: "user",
  content: "so",
  ...(origin && { origin }),
  timestamp,
});

export const call = (id: string): LogEvent => ({ type: "call", content: '{"name":"read","args":{}}', id, timestamp });

export const results = (count: number): LogEvent => ({
  type: "result",
  content: JSON.stringify(Array(count).fill({ tool: "read", status: "success", content: "done" })),
  payload: { tools_executed: count, success_count: count, failure_count: 0 },
  timestamp,
});

export const respond: LogEvent = { type: "respond", content: "so", timestamp };

const event = fc.oneof(
  fc.constantFrom<LogEvent>(
    user(),
    user("nudge"),
    user("notice"),
    user("recovery"),
    user("untrusted"),
    call("call_1"),
    call("call_2"),
    respond,
    record("native", { provider: "p", model: "m", data: [1] }),
    { type: "think", content: "so", timestamp },
    { type: "cancelled", timestamp },
    record("rejected", { code: "malformed_execute", message: "no" }),
    record("started", { id: "call_1" }),
    record("finished", { id: "call_1", result: { tool: "read", status: "success", content: 1 } }),
    record("approval", { id: "call_1", name: "read", hash: "h", status: "approved" }),
    record("message", { id: "m", kind: "steer" }),
    record("content", { holds: "private", source: "read notes.md" }),
    record("usage", {}),
    record("unknown", null),
    record("summary", null),
  ),
  fc.nat(2).map(results),
  fc
    .record({ upTo: fc.integer({ min: -1, max: 12 }), text: fc.constantFrom("", "sum", 1) })
    .map((data) => record("summary", data)),
);

/** Any events in any order after a user's, also what no run writes. */
export const anyLog = fc.array(event, { maxLength: 20 }).map((events) => [user(), ...events]);

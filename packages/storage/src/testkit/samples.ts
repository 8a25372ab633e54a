import type { LogEvent, UserEvent } from "@cogency/protocol";

/** Something a person said; the text tells one event from another. */
export function said(content: string, timestamp = 1_700_000_000.25): UserEvent {
  return { type: "user", content, timestamp };
}

/** `count` events that can be told apart. */
export function remarks(count: number, about = "remark"): UserEvent[] {
  return Array.from({ length: count }, (_, index) => said(`${about} ${index + 1}`, 1_700_000_000 + index));
}

/** One event of every kind that a store keeps, with every optional field somewhere. */
export const everyKind: Record<string, LogEvent> = {
  user: { type: "user", content: "What is in main.py?", timestamp: 1_700_000_000.123456 },
  "user from the framework": { type: "user", content: "Go on.", origin: "nudge", timestamp: 1_700_000_001 },
  "user notice": { type: "user", content: "A file changed.", origin: "notice", timestamp: 1_700_000_001.5 },
  "user recovery": { type: "user", content: "You were interrupted.", origin: "recovery", timestamp: 1_700_000_002 },
  think: { type: "think", content: "I need to read it.\n\n  Twice.", timestamp: 1_700_000_003 },
  call: { type: "call", content: '{"name":"read","args":{"file":"main.py"}}', id: "call_1", timestamp: 1_700_000_004 },
  "call without an id": { type: "call", content: '{"name":"now","args":{}}', timestamp: 0 },
  result: {
    type: "result",
    content: '[{"tool":"read","status":"success","content":"\\u003cexecute>"}]',
    payload: { tools_executed: 1, success_count: 1, failure_count: 0 },
    timestamp: 1_700_000_005,
  },
  respond: { type: "respond", content: "", timestamp: 1_700_000_006 },
  "respond with a unit": { type: "respond", content: "It prints a line.", unit: 2, timestamp: 1_700_000_007 },
  cancelled: { type: "cancelled", timestamp: -1.5 },
  "record started": { type: "record", kind: "started", data: { id: "call_1" }, timestamp: 1_700_000_008 },
  "record finished": {
    type: "record",
    kind: "finished",
    data: { id: "call_1", result: { tool: "read", status: "success", content: [1, null, { deep: [[[]], {}] }] } },
    timestamp: 1_700_000_009,
  },
  "record rejected": {
    type: "record",
    kind: "rejected",
    data: { code: "malformed_execute", message: "Expected an array.", position: 17 },
    timestamp: 1_700_000_010,
  },
  "record native": {
    type: "record",
    kind: "native",
    data: { provider: "p", model: "m", data: [{ signature: "AbC+/=", thinking: "…" }] },
    timestamp: 1_700_000_011,
  },
  "record summary": { type: "record", kind: "summary", data: "They talked about files.", timestamp: 1_700_000_012 },
  "record usage": {
    type: "record",
    kind: "usage",
    data: { input: 10, output: 2, cacheRead: 0, cacheWrite: 0, reasoning: 0, duration: 0.1, cost: 1e-7 },
    timestamp: 1_700_000_013,
  },
  "record of nothing": { type: "record", kind: "summary", data: null, timestamp: 1_700_000_014 },
};

/** What is no count of anything. */
export const noCounts = [-1, -0.5, 0.5, 1.5, Number.NaN, Number.NEGATIVE_INFINITY];

/** Counts beyond what fits into 53 or 64 bits, which no store ever reaches. */
export const hugeCounts = [Number.MAX_SAFE_INTEGER, 2 ** 53, 2 ** 63, 1e20, Number.MAX_VALUE, Number.POSITIVE_INFINITY];

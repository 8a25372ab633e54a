import type { Json, LogEvent, ToolResult, UserEvent } from "@cogency/protocol";
import type { Key } from "../../key.ts";

/** The conversation that most cases write to. */
export const key: Key = { conversation: "c" };

/** A message of a person. */
export function said(content: string, timestamp = 1_700_000_000.25): UserEvent {
  return { type: "user", content, timestamp };
}

/** A person names the conversation. */
export function named(text: string, timestamp = 1_700_000_000.5): LogEvent {
  return { type: "record", kind: "title", data: { text }, timestamp };
}

/** `count` events with different texts. */
export function remarks(count: number, about = "remark"): UserEvent[] {
  return Array.from({ length: count }, (_, index) => said(`${about} ${index + 1}`, 1_700_000_000 + index));
}

/** The result event of one block of calls. */
export function returned(results: readonly Pick<ToolResult, "tool" | "content">[], timestamp = 7): LogEvent {
  const content = JSON.stringify(results.map((result) => ({ ...result, status: "success" })));
  const payload = { tools_executed: results.length, success_count: results.length, failure_count: 0 };
  return { type: "result", content, payload, timestamp };
}

/** One event of every kind that a store keeps. Every optional field occurs in at least one. */
export const everyKind: Readonly<Record<string, LogEvent>> = {
  user: { type: "user", content: "What is in main.py?", timestamp: 1_700_000_000.123456 },
  "user from the framework": { type: "user", content: "Go on.", origin: "nudge", timestamp: 1_700_000_001 },
  "user notice": { type: "user", content: "A file changed.", origin: "notice", timestamp: 1_700_000_001.5 },
  "user notice from outside": {
    type: "user",
    content:
      "Notices from outside, the oldest first.\n- ci: Build 12 failed.\n- mail, untrusted, the last of 3: Hello.",
    origin: "notice",
    sources: [
      { source: "ci", count: 1 },
      { source: "mail", count: 3, holds: "untrusted" },
    ],
    timestamp: 1_700_000_001.75,
  },
  "user recovery": { type: "user", content: "You were interrupted.", origin: "recovery", timestamp: 1_700_000_002 },
  "user with attachments": {
    type: "user",
    content: "What is this?",
    attachments: [
      { kind: "image", mediaType: "image/png", data: "iVBORw0KGgo=", name: "a.png" },
      { kind: "file", mediaType: "application/pdf", data: { url: "https://example.com/a.pdf" } },
    ],
    timestamp: 1_700_000_002.5,
  },
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
  "record not_done": { type: "record", kind: "not_done", data: { id: "call_1" }, timestamp: 1_700_000_008 },
  "record finished": {
    type: "record",
    kind: "finished",
    data: { id: "call_1", result: { tool: "read", status: "success", content: [1, null, { deep: [[[]], {}] }] } },
    timestamp: 1_700_000_009,
  },
  "record fork": { type: "record", kind: "fork", data: { from: "notes", at: 4 }, timestamp: 1_700_000_009.5 },
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
  "record title": { type: "record", kind: "title", data: { text: "About files" }, timestamp: 1_700_000_012.5 },
  "record point": { type: "record", kind: "point", data: { name: "About files", at: 3 }, timestamp: 1_700_000_012.625 },
  "record message": {
    type: "record",
    kind: "message",
    data: { id: "n1", kind: "notice", from: "ada", more: 3 },
    timestamp: 1_700_000_012.6875,
  },
  "record message refused": {
    type: "record",
    kind: "message",
    data: { id: "n2", kind: "notice", refused: "It has no proof." },
    timestamp: 1_700_000_012.71875,
  },
  "record notice": {
    type: "record",
    kind: "notice",
    data: { code: "server", message: "The server of the model has failed.", retryAt: 1_700_000_017.5 },
    timestamp: 1_700_000_012.75,
  },
  "record usage": {
    type: "record",
    kind: "usage",
    data: { input: 10, output: 2, cacheRead: 0, cacheWrite: 0, reasoning: 0, duration: 0.1, cost: 1e-7 },
    timestamp: 1_700_000_013,
  },
  "record request": {
    type: "record",
    kind: "request",
    data: {
      driver: "protocol",
      provider: "p",
      model: "m",
      settings: { temperature: 0, stop: ["!"], options: { effort: "low" } },
      messages: { form: "json", count: 3, again: 1, hash: "0f".repeat(32) },
      hashes: { system: "1e".repeat(32), tools: "2d".repeat(32) },
      system: "You are kind.",
      tools: [{ name: "now", description: "Tell the time.", parameters: { type: "object" } }],
    },
    timestamp: 1_700_000_013.25,
  },
  "record tools_found": {
    type: "record",
    kind: "tools_found",
    data: { names: ["now", "later"] },
    timestamp: 1_700_000_013.375,
  },
  "record source_tools": {
    type: "record",
    kind: "source_tools",
    data: { tools: [{ name: "github__star", hash: "3c".repeat(8) }], gone: ["docs__find"], notes: ["4b".repeat(8)] },
    timestamp: 1_700_000_013.40625,
  },
  "record client_tools": {
    type: "record",
    kind: "client_tools",
    data: { tools: [{ name: "pick", description: "Lets the person pick.", parameters: { type: "object" } }] },
    timestamp: 1_700_000_013.421875,
  },
  "record trace": {
    type: "record",
    kind: "trace",
    data: { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" },
    timestamp: 1_700_000_013.4375,
  },
  "record child": {
    type: "record",
    kind: "child",
    data: {
      call: "call_1",
      agent: "reviewer",
      conversation: "subagent-1",
      background: true,
      used: { steps: 2, tokens: 700, toolCalls: 1, cost: 0.02 },
    },
    timestamp: 1_700_000_013.4376,
  },
  "record parent": {
    type: "record",
    kind: "parent",
    data: { conversation: "c", call: "call_1", root: "c", agents: ["reviewer"] },
    timestamp: 1_700_000_013.4377,
  },
  "record object": {
    type: "record",
    kind: "object",
    data: { schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] } },
    timestamp: 1_700_000_013.46875,
  },
  "record run": {
    type: "record",
    kind: "run",
    data: {
      status: "stopped",
      stop: { reason: "steps_limit", message: "Ten steps are used up.", context: { steps: 10 } },
    },
    timestamp: 1_700_000_013.5,
  },
  "record run that failed": {
    type: "record",
    kind: "run",
    data: { status: "failed", error: { code: "provider", message: "The model could not be asked." } },
    timestamp: 1_700_000_013.75,
  },
  "record of nothing": { type: "record", kind: "summary", data: null, timestamp: 1_700_000_014 },
};

/** Texts that a careless encoding changes. */
export const oddTexts: Readonly<Record<string, string>> = {
  "an emoji": "👩‍👩‍👧‍👦 🇨🇭 👍🏽",
  "the character NUL": "\u0000 a\u0000b \u0000",
  "control characters and line ends": "\u0001\u001b[31m\r\n\t\u007f\u0085\u2028\u2029",
  "a byte order mark and noncharacters": "\ufeffa\uffff\u{10ffff}",
  "combining and right-to-left text": "e\u0301 שלום \u202eabc",
  "quotes, backslashes and SQL": `'); DROP TABLE events; -- " \\ \\u0000 $1 ? %s`,
  "white space": " \n ",
};

/** Values that a careless encoding changes. */
export const oddData: Readonly<Record<string, Json>> = {
  "the key __proto__": JSON.parse('{"__proto__":{"a":1},"b":{"__proto__":null},"constructor":2,"toString":3}') as Json,
  "odd keys": { "": 1, " ": 2, "a.b": 3, "0": 4, "\u0000": 5, "🙂": 6, type: "user", seq: 7 },
  "extreme numbers": [5e-324, 1.7976931348623157e308, 0.1, -1e21, 2 ** 53 - 1, 2 ** 60, 0],
  "five hundred levels": Array.from({ length: 500 }).reduce<Json>((value) => [value], "deep"),
};

/** Numbers that are no valid count. */
export const noCounts = [-1, -0.5, 0.5, 1.5, Number.NaN, Number.NEGATIVE_INFINITY];

/** Counts that do not fit into 53 or 64 bits, and that no store ever reaches. */
export const hugeCounts = [Number.MAX_SAFE_INTEGER, 2 ** 53, 2 ** 63, 1e20, Number.MAX_VALUE, Number.POSITIVE_INFINITY];

import type { LogEvent } from "@cogency/protocol";

/** Stands in every field that must not leave the server in the view `parts`. */
export const secret = "canary";

const s = secret;
const proof = { key: s, mac: s };
const record = (kind: string, data: unknown) => ({ type: "record", kind, data, timestamp: 1 }) as LogEvent;
const result = { tool: "read", status: "success", content: "a result" };

/** What a person may see of it. */
export const shown = [
  "a prompt",
  "an answer",
  "a result",
  "a concern",
  "a question",
  "a refusal",
  "a title",
  "a point",
  "a notice",
];

/** A log with a secret in every field that must stay on the server. */
export const marked: readonly LogEvent[] = [
  record("origin", { scope: s, proof }),
  record("fork", { from: s, at: 1 }),
  record("content", { holds: "untrusted", source: s }),
  { type: "user", content: "a prompt", [s]: s, timestamp: 1 } as LogEvent,
  { type: "user", content: s, origin: "nudge", timestamp: 1 },
  { type: "user", content: s, origin: "notice", timestamp: 1 },
  { type: "user", content: s, origin: "recovery", timestamp: 1 },
  { type: "user", content: s, origin: { of: "elsewhere" }, timestamp: 1 } as unknown as LogEvent,
  record("object", { schema: { description: s } }),
  record("trace", { traceparent: s }),
  record("request", {
    driver: "protocol",
    provider: s,
    model: s,
    settings: { key: s },
    messages: { count: 1, again: 0, hash: s },
    hashes: { system: s, tools: s },
    system: s,
    tools: [{ name: s, description: s, parameters: { description: s } }],
  }),
  record("native", { provider: s, model: s, data: [{ signature: s }] }),
  { type: "think", content: "a thought", signature: s, timestamp: 1 } as LogEvent,
  { type: "respond", content: "an answer", signature: s, timestamp: 1 } as LogEvent,
  { type: "call", content: '{"name":"read","args":{}}', id: "c", signature: s, timestamp: 1 } as LogEvent,
  record("question", {
    id: "q",
    call: "c",
    name: "read",
    hash: s,
    asks: "approval",
    concerns: [{ kind: "k", why: "a concern", definition: s }],
    touches: ["file:/srv"],
    message: "a question",
    shown: s,
    proof,
  }),
  record("approval", {
    id: "c",
    name: "read",
    hash: s,
    status: "approved",
    question: "q",
    reason: "why",
    shown: s,
    proof,
  }),
  record("answer", { question: "q", content: "yes", from: "ada", proof }),
  record("message", { id: "m", kind: "approve", from: "ada", proof }),
  record("started", { id: "c", brings: [{ holds: "private", source: s }] }),
  record("not_done", { id: "c", why: s }),
  record("finished", {
    id: "c",
    result: { ...result, meta: s },
    stop: { reason: s, message: s, context: { key: s }, source: s },
  }),
  {
    type: "result",
    content: JSON.stringify([{ ...result, meta: s }]),
    payload: { tools_executed: 1, success_count: 1, failure_count: 0, cost: s },
    ids: ["c"],
    cost: s,
    timestamp: 1,
  } as unknown as LogEvent,
  record("rejected", { code: "malformed_execute", message: "a refusal", text: s }),
  record("tools_found", { names: [s] }),
  record("source_tools", { tools: [{ name: s, hash: s }], gone: [s], notes: [s] }),
  record("client_tools", { tools: [{ name: "pick", description: s, parameters: { description: s } }] }),
  record("summary", { upTo: 1, text: s }),
  record("title", { text: "a title", proof }),
  record("point", { name: "a point", at: 1, proof }),
  record("notice", { code: "server", message: "a notice", cause: s }),
  record("child", {
    call: "c",
    agent: "a",
    conversation: "subagent-1",
    used: { steps: 1, tokens: 1, toolCalls: 1, cost: s },
  }),
  record("parent", { conversation: "c", call: "c", root: "c", agents: ["a"], proof }),
  record("usage", { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0, duration: 1, cost: s, price: s }),
  record("run", {
    status: "failed",
    stop: { reason: "r", message: "m", context: { key: s } },
    error: { code: "c", message: "m", cause: s },
  }),
  record("of_the_future", { text: s }),
  record("constructor", { text: s }),
  { type: "metric", step: { cost: s }, timestamp: 1 } as unknown as LogEvent,
  { type: "cancelled", by: s, timestamp: 1 } as LogEvent,
];

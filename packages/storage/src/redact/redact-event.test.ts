import { callOf, type LogEvent, parseResults, type RecordEvent } from "@cogency/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactEvent } from "./redact-event.ts";
import { redactSecrets } from "./redact-secrets.ts";

const timestamp = 1.5;
const payload = { tools_executed: 1, success_count: 1, failure_count: 0 };
const key = `ghp_${"a1B2".repeat(9)}`;
const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0, duration: 1 };

/** The text that replaces `key`. */
const hidden = "[redacted]";

describe("redactEvent", () => {
  it.each<[string, LogEvent]>([
    ["what the person said", { type: "user", timestamp, content: `use ${key}` }],
    [
      "what a notice from outside said, and of which source",
      {
        type: "user",
        timestamp,
        origin: "notice",
        content: `A notice from outside.\n- ${key}: x`,
        sources: [{ source: key, count: 1, holds: "untrusted" }],
      },
    ],
    ["what the model thought", { type: "think", timestamp, content: key }],
    ["what the model said", { type: "respond", timestamp, content: `It is ${key}.` }],
    [
      "the arguments of a call",
      { type: "call", timestamp, id: "c1", content: `{"name":"shell","args":{"a":["${key}"]}}` },
    ],
    [
      "a result",
      {
        type: "result",
        timestamp,
        payload,
        content: `[{"tool":"read","status":"success","content":{"text":"${key}"}}]`,
      },
    ],
    [
      "a failure",
      { type: "result", timestamp, payload, content: `[{"tool":"read","status":"failure","content":"${key}"}]` },
    ],
    [
      "what a request said: the system prompt, the settings and the tools",
      {
        type: "record",
        timestamp,
        kind: "request",
        data: {
          driver: "d",
          provider: "p",
          model: "m",
          settings: { stop: [key] },
          messages: { count: 1, again: 0, hash: "h" },
          hashes: { system: "h", tools: "h" },
          system: `Use ${key}.`,
          tools: [{ name: "a", description: `Use ${key}.`, parameters: { type: "object", default: { b: key } } }],
        },
      },
    ],
    ["a refused block", { type: "record", timestamp, kind: "rejected", data: { code: "x", message: "m", text: key } }],
    [
      "why a call was denied",
      {
        type: "record",
        timestamp,
        kind: "approval",
        data: { id: "1", name: "a", hash: "h", status: "denied", reason: key },
      },
    ],
    [
      "what ran",
      { type: "record", timestamp, kind: "started", data: { id: "1", call: `{"name":"a","args":{"b":"${key}"}}` } },
    ],
    [
      "where what a call would bring comes from",
      {
        type: "record",
        timestamp,
        kind: "started",
        data: { id: "1", brings: [{ holds: "untrusted", source: `scrape https://x.example/?key=${key}` }] },
      },
    ],
    [
      "what ended",
      {
        type: "record",
        timestamp,
        kind: "finished",
        data: { id: "1", result: { tool: "a", status: "success", content: [key] } },
      },
    ],
    [
      "a field of a result that this version does not know",
      {
        type: "result",
        timestamp,
        payload,
        content: `[{"tool":"read","status":"success","content":1,"text":"${key}"}]`,
      },
    ],
    [
      "a field of an ended call that this version does not know",
      {
        type: "record",
        timestamp,
        kind: "finished",
        data: { id: "1", result: { tool: "a", status: "success", content: 1, text: key }, shown: [key] },
      } as unknown as LogEvent,
    ],
    [
      "a field of a call beside its arguments",
      { type: "call", timestamp, content: `{"name":"a","args":{},"why":"${key}"}` },
    ],
    [
      "a field of a message that this version does not know",
      { type: "user", timestamp, content: "x", title: key } as LogEvent,
    ],
    [
      "the names of attachments",
      {
        type: "user",
        timestamp,
        content: "x",
        attachments: [{ kind: "file", mediaType: "text/plain", data: "aGk=", name: `notes ${key}` }],
      },
    ],
    [
      "why a message was refused, and who claims to have sent it",
      { type: "record", timestamp, kind: "message", data: { id: "1", kind: "steer", from: key, refused: key } },
    ],
    [
      "a question",
      {
        type: "record",
        timestamp,
        kind: "question",
        data: {
          id: "1",
          call: "1",
          name: "a",
          hash: "h",
          asks: "answer",
          message: key,
          touches: [key],
          concerns: [{ kind: "risk", why: key }],
          args: { a: key },
        },
      },
    ],
    [
      "why a call stopped the run",
      {
        type: "record",
        timestamp,
        kind: "finished",
        data: {
          id: "1",
          result: { tool: "a", status: "success", content: 1 },
          stop: { reason: "r", message: key, context: { a: key } },
        },
      },
    ],
    [
      "what brought private content",
      {
        type: "record",
        timestamp,
        kind: "content",
        data: { holds: "private", source: `https://x.test/?api_key=${key}`, call: "call_1" },
      },
    ],
    [
      "why a run stopped",
      {
        type: "record",
        timestamp,
        kind: "run",
        data: { status: "stopped", stop: { reason: "r", message: key, context: { a: [key] } } },
      },
    ],
    [
      "why a run failed",
      { type: "record", timestamp, kind: "run", data: { status: "failed", error: { code: "provider", message: key } } },
    ],
    ["a summary", { type: "record", timestamp, kind: "summary", data: { text: `They gave ${key}.` } }],
  ])("removes secrets from %s and keeps the rest", (_, event) => {
    const redacted = redactEvent(event, redactSecrets);
    expect(JSON.stringify(redacted)).toBe(JSON.stringify(event).replaceAll(key, hidden));
  });

  it.each<[string, LogEvent]>([
    [
      "a provider's own blocks",
      {
        type: "record",
        timestamp,
        kind: "native",
        data: { provider: "p", model: "m", data: { signature: key, thinking: `password=${key}` } },
      },
    ],
    ["the id and the tool of a call", { type: "call", timestamp, id: key, content: `{"name":"${key}","args":{}}` }],
    [
      "the tool of a result",
      { type: "result", timestamp, payload, content: `[{"tool":"${key}","status":"success","content":1}]` },
    ],
    [
      "what an approval is about",
      { type: "record", timestamp, kind: "approval", data: { id: key, name: key, hash: key, status: "asked" } },
    ],
    [
      "the question and the proof of an approval",
      {
        type: "record",
        timestamp,
        kind: "approval",
        data: { id: "1", name: "a", hash: "h", status: "approved", question: key, proof: { key, mac: key } },
      },
    ],
    [
      "where a log comes from",
      { type: "record", timestamp, kind: "origin", data: { scope: `/home/me/${key}`, proof: { key, mac: key } } },
    ],
    [
      "which call brought content, and what",
      { type: "record", timestamp, kind: "content", data: { holds: "untrusted", source: hidden, call: key } },
    ],
    [
      "what programs read of a request",
      {
        type: "record",
        timestamp,
        kind: "request",
        data: {
          driver: key,
          provider: key,
          model: key,
          settings: {},
          messages: { form: "json", count: 1, again: 0, hash: key },
          hashes: { system: key, tools: key },
          tools: [{ name: key, description: hidden, parameters: {} }],
        },
      },
    ],
    [
      "what programs read of a run's end",
      {
        type: "record",
        timestamp,
        kind: "run",
        data: {
          status: "stopped",
          stop: { reason: key, message: hidden, context: { steps: 3 } },
          error: { code: key, message: hidden },
        },
      },
    ],
    ["which message was taken", { type: "record", timestamp, kind: "message", data: { id: key, kind: key } }],
    [
      "the bytes of attachments",
      {
        type: "record",
        timestamp,
        kind: "finished",
        data: {
          id: key,
          result: {
            tool: key,
            status: "success",
            content: 1,
            attachments: [{ kind: "image", mediaType: "image/png", data: key }],
          },
        },
      },
    ],
    [
      "which question was put",
      {
        type: "record",
        timestamp,
        kind: "question",
        data: { id: key, call: key, name: key, hash: key, asks: "approval", shown: key, definition: key },
      },
    ],
    [
      "which question was answered",
      { type: "record", timestamp, kind: "answer", data: { question: key, content: 1, proof: { key, mac: key } } },
    ],
    ["which tools were found", { type: "record", timestamp, kind: "tools_found", data: { names: [key] } }],
    [
      "which tools the model knows",
      {
        type: "record",
        timestamp,
        kind: "source_tools",
        data: { tools: [{ name: key, hash: key }], gone: [key], notes: [key] },
      },
    ],
    ["the trace of a turn", { type: "record", timestamp, kind: "trace", data: { traceparent: key } }],
    ["what was used", { type: "record", timestamp, kind: "usage", data: usage }],
    ["a cancel", { type: "cancelled", timestamp }],
  ])("never touches %s", (_, event) => {
    expect(redactEvent(event, () => hidden)).toBe(event);
  });

  it("keeps the form of the JSON around redacted strings", () => {
    const content = `{ "name": "a",\n  "args": {"n": 1.0e2, "big": 12345678901234567890, "\\u0074oken": "${key}", "\\"": ["\\\\", {}]} }`;
    const redacted = redactEvent({ type: "call", timestamp, content }, redactSecrets);
    expect(redacted).toMatchObject({ content: content.replace(key, hidden) });
  });

  it("passes the name of the property to the redactor", () => {
    const content = '{"name":"login","args":{"user":"me","password":"correct horse","env":{"API_KEY":"abc"}}}';
    const redacted = redactEvent({ type: "call", timestamp, content }, redactSecrets);
    expect(redacted).toMatchObject({
      content: '{"name":"login","args":{"user":"me","password":"[redacted]","env":{"API_KEY":"[redacted]"}}}',
    });
  });

  it.each([
    ['{"env":[{"name":"API_KEY","value":"abc"}]}', '{"env":[{"name":"API_KEY","value":"[redacted]"}]}'],
    ['{"env":[{"name":"A","value":"abc"},{"value":"abc"}]}'],
    ['{"key":"password","value":"abc"}', '{"key":"password","value":"[redacted]"}'],
    ['{"a":{"name":"password"},"value":"abc"}'],
    ['{"argv":["x","--password","abc","--user","me"]}', '{"argv":["x","--password","[redacted]","--user","me"]}'],
    ['{"argv":["--password",["abc"]],"b":["-v","abc"]}'],
    ['{"argv":["--password"],"b":["abc"]}'],
    ['{"auths":{"x":{"auth":"dXNlcjpwYXNz"}}}', '{"auths":{"x":{"auth":"[redacted]"}}}'],
    ['{"auth":"required"}'],
  ])("recognizes a value by the name or the option beside it: %s", (args, redacted = args) => {
    const event: LogEvent = { type: "call", timestamp, content: `{"name":"a","args":${args}}` };
    expect(redactEvent(event, redactSecrets)).toMatchObject({ content: `{"name":"a","args":${redacted}}` });
  });

  it.each(["constructor", "__proto__", "toString", "hasOwnProperty", "", "unknown"])(
    "removes secrets from a record of the unknown kind %j",
    (kind) => {
      const event = { type: "record", timestamp, kind, data: { text: key } } as unknown as LogEvent;
      expect(redactEvent(event, redactSecrets)).toEqual({ ...event, data: { text: hidden } });
      expect(redactEvent({ ...event, data: null } as LogEvent, redactSecrets)).toEqual({ ...event, data: null });
    },
  );

  it("keeps the names of the tools of a client, and not their descriptions", () => {
    const tools = [{ name: key, description: `with ${key}`, parameters: { type: "object", description: key } }];
    const event: LogEvent = { type: "record", timestamp, kind: "client_tools", data: { tools } };
    expect(redactEvent(event, redactSecrets)).toMatchObject({
      data: { tools: [{ name: key, description: `with ${hidden}`, parameters: { description: hidden } }] },
    });
  });

  it("redacts content that is not JSON as a text", () => {
    const redacted = redactEvent({ type: "result", timestamp, payload, content: `broken ${key}` }, redactSecrets);
    expect(redacted).toMatchObject({ content: `broken ${hidden}` });
  });

  const text = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.constantFrom(key, `password="${key}"`, '{"password": "a\\"b"}', "\\", '"', "postgres://a:b@c"),
  );
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constant(null),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.oneof(text, fc.constantFrom("password", "__proto__", "token")), tie("value"), { maxKeys: 3 }),
    ),
  })).value;

  it("keeps the shape of the event, and is idempotent", () => {
    fc.assert(
      fc.property(fc.dictionary(text, value, { maxKeys: 3 }), value, (args, result) => {
        const events: LogEvent[] = [
          { type: "call", timestamp, content: JSON.stringify({ name: "a", args }) },
          {
            type: "result",
            timestamp,
            payload,
            content: JSON.stringify([{ tool: "a", status: "success", content: result }]),
          },
          { type: "record", timestamp, kind: "summary", data: result } as RecordEvent,
        ];
        const [call, results, summary] = events.map((event) => redactEvent(event, redactSecrets));
        if (call?.type !== "call" || results?.type !== "result" || !summary) throw new Error("another type");
        expect(shape(callOf(call).args)).toEqual(shape(args));
        expect(shape(parseResults(results.content)?.[0]?.content)).toEqual(shape(result));
        for (const event of [call, results, summary]) expect(redactEvent(event, redactSecrets)).toEqual(event);
      }),
    );
  });
});

/** The event without its strings. */
function shape(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, part) => (typeof part === "string" ? "" : part));
}

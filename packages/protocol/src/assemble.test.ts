import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callBlock, wireText } from "../test/arbitraries.ts";
import { missingResults, toMessages } from "./assemble.ts";
import type { AgentEvent, LogEvent } from "./events.ts";
import { isPersisted } from "./events.ts";
import type { ModelMessage } from "./message.ts";
import { parseSync } from "./parse.ts";
import { callOf, formatCalls, parseResults } from "./serialize.ts";
import type { ToolCall, ToolResult } from "./tool.ts";

const runs = { numRuns: 500 };
const forms = ["json", "xml", "native", "react"] as const;
const user: LogEvent = { type: "user", content: "go", timestamp: 0 };
const persisted = (events: AgentEvent[]) => events.filter((event) => isPersisted(event.type)) as LogEvent[];

function resultEvent(results: ToolResult[]): LogEvent {
  const payload = { tools_executed: results.length, success_count: 0, failure_count: 0 };
  return { type: "result", content: JSON.stringify(results), payload, timestamp: 0 };
}

const name = fc.constantFrom("read", "a b", "", "x.y", "execute");
const call: fc.Arbitrary<ToolCall> = fc.record({ name, args: fc.dictionary(name, fc.string({ maxLength: 3 })) });

/** What the model says in one generation, in either dialect. */
const said = fc.oneof(
  fc.oneof(wireText, callBlock).map((text) => parseSync(text)),
  fc
    .tuple(wireText, fc.array(call, { maxLength: 3 }))
    .map(([text, calls]) => parseSync(text + formatCalls(calls, { dialect: "xml" }), { dialect: "xml" })),
);

/** What one generation and its batch leave in the log. Now and then a call has no id, or that of an earlier one. */
const step: fc.Arbitrary<LogEvent[]> = fc
  .tuple(said, fc.string({ unit: "binary", maxLength: 8 }), fc.nat(3), fc.boolean())
  .map(([events, output, kind, hasNative]) => {
    const native: LogEvent = {
      type: "record",
      kind: "native",
      data: { provider: "p", model: "m", data: output },
      timestamp: 0,
    };
    const said = persisted(events).map((event, i) =>
      event.type === "call" && (kind > 0 || i > 0) ? { ...event, id: `call_${i}` } : event,
    );
    if (hasNative) said.splice(kind, 0, native);
    const calls = said.filter((event) => event.type === "call");
    const results = calls.map((call): ToolResult => ({ tool: callOf(call).name, status: "success", content: output }));
    if (calls.length > 0) {
      const records = calls.flatMap(({ id }, i): LogEvent[] => {
        const result = results[i];
        return id && result ? [{ type: "record", kind: "finished", data: { id, result }, timestamp: 0 }] : [];
      });
      return [...said, ...records.slice(kind), resultEvent(results)];
    }
    const data = { code: "malformed_execute", message: `no ${output}` };
    if (kind === 0) return [...said, { type: "record", kind: "rejected", data, timestamp: 0 }];
    if (kind === 1) return [...said, { type: "cancelled", timestamp: 0 }, user];
    return [...said, user];
  });

const log = fc.array(step, { maxLength: 5 }).map((steps) => [[user], ...steps]);

/** What every provider asks of a request. */
function expectValid(messages: ModelMessage[], form: (typeof forms)[number]): void {
  expect(messages[0]?.role).toBe("user");
  expect(messages.at(-1)?.role).not.toBe("assistant");
  const ids = messages
    .flatMap((message) => (message.role === "assistant" ? (message.calls ?? []) : []))
    .map((c) => c.id);
  expect(new Set(ids).size).toBe(ids.length);
  messages.forEach((message, i) => {
    const before = messages[i - 1];
    const next = messages[i + 1];
    if (message.role === "user") expect(message.content).not.toBe("");
    if (message.role === "tool") expect(before).toHaveProperty("calls");
    if (message.role !== "assistant") return;
    expect(before?.role).not.toBe("assistant");
    if (message.content === "") expect(message).toHaveProperty("calls");
    if (message.calls) expect(next).toMatchObject({ role: "tool", results: message.calls.map(({ id }) => ({ id })) });
    if (form !== "json" && form !== "xml") return;
    const calls = parseSync(message.content, { dialect: form }).filter((event) => event.type === "call").length;
    if (calls > 0) expect(next?.role === "user" && parseResults(next.content)).toHaveLength(calls);
  });
}

describe.each(forms)("toMessages in the form %s", (form) => {
  it("always valid: a log cut anywhere gives a request that every provider takes", () => {
    fc.assert(
      fc.property(log, fc.nat(), (steps, at) => {
        const all = steps.flat();
        expectValid(toMessages(all.slice(0, 1 + (at % all.length)), { form }), form);
      }),
      runs,
    );
  });

  it("always valid: appending what is missing changes nothing that is assembled", () => {
    fc.assert(
      fc.property(log, fc.nat(), (steps, at) => {
        const all = steps.flat();
        const cut = all.slice(0, 1 + (at % all.length));
        const missing = missingResults(cut);
        if (missing.length === 0) return;
        const closed = [...cut, resultEvent(missing)];
        expect(toMessages(closed, { form })).toEqual(toMessages(cut, { form }));
        expect(missingResults(closed)).toEqual([]);
      }),
      runs,
    );
  });

  it("byte-stable: assembling twice gives the same bytes, and each step's messages begin with the last step's", () => {
    fc.assert(
      fc.property(log, (steps) => {
        let before: ModelMessage[] = [];
        for (let i = 1; i <= steps.length; i++) {
          const messages = toMessages(steps.slice(0, i).flat(), { form });
          expect(JSON.stringify(toMessages(steps.slice(0, i).flat(), { form }))).toBe(JSON.stringify(messages));
          expect(messages.slice(0, before.length)).toEqual(before);
          before = messages;
        }
      }),
      runs,
    );
  });

  it("never changes the log", () => {
    const events = [user, ...persisted(parseSync('<execute>[{"name":"a","args":{}}]</execute>'))];
    const before = JSON.stringify(events);
    toMessages(events, { form });
    expect(JSON.stringify(events)).toBe(before);
  });

  it("writes only well-formed text", () => {
    const lone = "x\ud800";
    const call: LogEvent = {
      type: "call",
      content: JSON.stringify({ name: lone, args: { [lone]: lone } }),
      timestamp: 0,
    };
    const words: LogEvent[] = [
      { type: "user", content: lone, timestamp: 0 },
      { type: "respond", content: lone, timestamp: 0 },
    ];
    const results = resultEvent([{ tool: lone, status: "failure", content: lone }]);
    const texts = toMessages([...words, call, results], { form }).flatMap((message) =>
      message.role === "tool" ? message.results.map(({ content }) => content) : message.content,
    );
    for (const text of texts) expect(text.isWellFormed()).toBe(true);
  });

  it("assembles nothing from nothing", () => {
    expect(toMessages([], { form })).toEqual([]);
  });
});

describe.each(["json", "xml"] as const)("toMessages in the form %s", (form) => {
  it("tells any tool output in one <results> block, and no other marker stands in the message", () => {
    const output = fc
      .array(fc.constantFrom("<results>", "</results>", "</Execute>", "<think>", "<end>", "<", "\\u003c", "\n", '"'))
      .map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(output, (content) => {
        const results: ToolResult[] = [{ tool: "a", status: "success", content }];
        const events = [
          user,
          ...persisted(parseSync('<execute>[{"name":"a","args":{}}]</execute>')),
          resultEvent(results),
        ];
        const message = toMessages(events, { form }).at(-1) as { content: string };
        expect(message.content.match(/<\/?(?:think|execute|results|end)>/gi)).toEqual(["<results>", "</results>"]);
        expect(parseResults(message.content)).toEqual(results);
      }),
      runs,
    );
  });
});

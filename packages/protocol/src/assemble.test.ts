import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callBlock, wireText } from "../test/arbitraries.ts";
import { missingResults, toMessages } from "./assemble.ts";
import type { AgentEvent, LogEvent } from "./events.ts";
import { isPersisted } from "./events.ts";
import type { ModelMessage } from "./message.ts";
import { parseSync } from "./parse.ts";
import { callOf, formatResults, parseResults } from "./serialize.ts";
import type { ToolResult } from "./tool.ts";

const runs = { numRuns: 1500 };
const form = { form: "json" } as const;
const user: LogEvent = { type: "user", content: "go", timestamp: 0 };
const persisted = (events: AgentEvent[]) => events.filter((event) => isPersisted(event.type)) as LogEvent[];

function resultEvent(results: ToolResult[]): LogEvent {
  const payload = { tools_executed: results.length, success_count: 0, failure_count: 0 };
  return { type: "result", content: JSON.stringify(results), payload, timestamp: 0 };
}

/** What one generation and its batch leave in the log. */
const step: fc.Arbitrary<LogEvent[]> = fc
  .tuple(fc.oneof(wireText, callBlock), fc.string({ unit: "binary", maxLength: 8 }), fc.nat(3))
  .map(([text, output, kind]) => {
    const said = persisted(parseSync(text)).map((event, i) =>
      event.type === "call" ? { ...event, id: `call_${i}` } : event,
    );
    const calls = said.filter((event) => event.type === "call");
    const results = calls.map((call): ToolResult => ({ tool: callOf(call).name, status: "success", content: output }));
    if (calls.length > 0) {
      const records = calls.map(({ id }, i): LogEvent => {
        return {
          type: "record",
          kind: "finished",
          data: { id: id ?? "", result: { ...results[i] } as never },
          timestamp: 0,
        };
      });
      return [...said, ...records.slice(kind), resultEvent(results)];
    }
    const data = { code: "malformed_execute", message: `no ${output}` };
    if (kind === 0) return [...said, { type: "record", kind: "rejected", data, timestamp: 0 }];
    if (kind === 1) return [...said, { type: "cancelled", timestamp: 0 }, user];
    return [...said, user];
  });

const log = fc.array(step, { maxLength: 5 }).map((steps) => [[user], ...steps]);

function expectValid(messages: ModelMessage[]): void {
  expect(messages.at(-1)?.role).not.toBe("assistant");
  messages.forEach((message, i) => {
    expect("content" in message && message.content).not.toBe("");
    if (message.role !== "assistant") return;
    expect(messages[i - 1]?.role).toBe("user");
    const calls = parseSync(message.content).filter((event) => event.type === "call").length;
    const next = messages[i + 1];
    const results = next && "content" in next ? parseResults(next.content) : null;
    if (calls > 0) expect(results).toHaveLength(calls);
  });
}

describe("toMessages", () => {
  it("round trip: parsing what was assembled gives the events that were parsed", () => {
    fc.assert(
      fc.property(wireText, fc.constantFrom("text" as const, "think" as const), (text, startIn) => {
        const events = persisted(parseSync(text, { startIn, clock: () => 0 }));
        if (events.length === 0) return;
        const [, assistant] = toMessages([user, ...events, user], form);
        const again = parseSync((assistant as { content: string }).content, { clock: () => 0 });
        expect(persisted(again)).toEqual(events);
      }),
      { numRuns: 5000 },
    );
  });

  it("always valid: a log cut anywhere gives a request that every provider takes", () => {
    fc.assert(
      fc.property(log, fc.nat(), (steps, at) => {
        const all = steps.flat();
        expectValid(toMessages(all.slice(0, 1 + (at % all.length)), form));
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
        expect(toMessages(closed, form)).toEqual(toMessages(cut, form));
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
          const messages = toMessages(steps.slice(0, i).flat(), form);
          expect(JSON.stringify(toMessages(steps.slice(0, i).flat(), form))).toBe(JSON.stringify(messages));
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
    toMessages(events, form);
    expect(JSON.stringify(events)).toBe(before);
  });

  it("assembles nothing from nothing", () => {
    expect(toMessages([], form)).toEqual([]);
  });
});

describe("formatResults", () => {
  const markerText = fc
    .array(
      fc.constantFrom(
        "<results>",
        "</results>",
        "<RESULTS>",
        "</Execute>",
        "<think>",
        "<end>",
        "<",
        "\\u003c",
        "x",
        '"',
        "\u0000",
        "＜results＞",
      ),
    )
    .map((pieces) => pieces.join(""));

  it("holds exactly one opener, one closer and no other marker, and gives the content back, for any output", () => {
    const content = fc.oneof(
      markerText,
      fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value))),
    );
    fc.assert(
      fc.property(content, markerText, (content, tool) => {
        const results: ToolResult[] = [{ tool, status: "success", content }];
        const text = formatResults(results);
        expect(text.match(/<\/?(?:think|execute|results|end)>/gi)).toEqual(["<results>", "</results>"]);
        expect(parseResults(text)).toEqual(results);
      }),
      runs,
    );
  });
});

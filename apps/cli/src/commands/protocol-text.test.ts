import { type AgentEvent, parseSync } from "@cogency/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ProtocolText } from "./protocol-text.ts";

/** The events of a text, without their times. */
function eventsOf(text: string): Omit<AgentEvent, "timestamp">[] {
  return parseSync(text).map(({ timestamp: _, ...event }) => event);
}

function textOf(events: readonly object[], dialect: "json" | "xml"): string {
  const text = new ProtocolText(dialect);
  return events.map((event) => text.write({ ...event, timestamp: 1 } as AgentEvent)).join("") + text.end();
}

const words = fc.string({ unit: fc.constantFrom("a", "ü", "🙂", " ", "\n", "<", "`", "\\", '"', "</", "#") });
const name = fc.constantFrom("read", "write", "a.b-c");
const call = (value: fc.Arbitrary<unknown>) =>
  fc.record({ name, args: fc.dictionary(fc.constantFrom("file", "content", "n"), value, { maxKeys: 3 }) });
const xmlCall = fc
  .record({ name, value: fc.stringMatching(/^[a-z <>&"\n]{0,12}$/) })
  .map((one) => `<${one.name}><file>${one.value}</file></${one.name}>`);
const thought = words.map((text) => `<think>${text}</think>`);
const ending = (block: fc.Arbitrary<string>) =>
  fc.oneof(
    fc.constant(""),
    fc.constant("<end>"),
    block.map((calls) => `<execute>${calls}</execute>`),
  );
const textWith = (block: fc.Arbitrary<string>) =>
  fc
    .tuple(fc.array(fc.oneof(words, thought), { maxLength: 4 }), ending(block))
    .map(([parts, end]) => parts.join("") + end);

describe("format", () => {
  it.each([
    ["json", fc.array(call(fc.jsonValue({ maxDepth: 2 })), { maxLength: 3 }).map((calls) => JSON.stringify(calls))],
    ["xml", fc.array(xmlCall, { minLength: 1, maxLength: 3 }).map((calls) => calls.join("\n"))],
  ] as const)("parse, format and parse give the same events: %s", (dialect, block) => {
    let written = 0;
    fc.assert(
      fc.property(textWith(block), (text) => {
        const events = eventsOf(text);
        if (events.some(({ type }) => type === "error")) return;
        written++;
        expect(eventsOf(textOf(events, dialect))).toEqual(events);
      }),
      { numRuns: 300 },
    );
    expect(written).toBeGreaterThan(100);
  });

  it("joins the pieces of a unit, and changes the dialect of a block", () => {
    const events = [
      { type: "think", content: "Let me ", unit: 1 },
      { type: "think", content: "see.", unit: 1 },
      { type: "call", content: '{"name":"read","args":{"file":"a"}}' },
      { type: "execute" },
    ];
    expect(textOf(events, "xml")).toBe(
      "<think>Let me see.</think>\n<execute>\n<read><file>a</file></read>\n</execute>\n",
    );
  });

  it("has no text for an error, nor for a block that was never closed", () => {
    expect(() => textOf([{ type: "error", content: "x", code: "truncated_execute" }], "json")).toThrow(/"error"/);
    expect(() => textOf([{ type: "call", content: '{"name":"read","args":{}}' }], "json")).toThrow(/without `execute`/);
  });
});

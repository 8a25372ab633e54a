import { randomRuns } from "@tooling/vitest/random-runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repairableBlock, wireText, xmlWireText } from "../../test/arbitraries.ts";
import type { LogEvent } from "../events.ts";
import { isPersisted } from "../events.ts";
import { type ParseOptions, parseSync } from "../parse/parse.ts";
import { toMessages } from "./assemble.ts";

const user: LogEvent = { type: "user", content: "go", timestamp: 0 };
const parsed = (text: string, options: ParseOptions) =>
  parseSync(text, { ...options, clock: () => 0 }).filter(({ type }) => isPersisted(type)) as LogEvent[];

/** Parsing what was assembled gives the events that were parsed (protocol.md §4). */
function expectRoundTrip(text: string, form: "json" | "xml", options: ParseOptions = {}): LogEvent[] {
  const events = parsed(text, { ...options, dialect: form });
  if (events.length === 0) return events;
  const [, assistant] = toMessages([user, ...events, user], { form });
  expect(parsed((assistant as { content: string }).content, { dialect: form })).toEqual(events);
  return events;
}

/** Blocks whose values hold tags that may end them. */
const xmlBlock = fc
  .array(
    fc.tuple(
      fc.constantFrom("t", "a", "execute"),
      fc.uniqueArray(
        fc.tuple(
          fc.constantFrom("a", "b", "t", "2", "1", "execute"),
          fc
            .array(
              fc.constantFrom(
                ...["</a>", "</b>", "</t>", "</1>", "</execute>", "<a>", "<b>", "<1>", "<2>", "<x>", "</a"],
                ...["\n", "\r", "\r\n", " ", "word", "<", "< /a>", "\ud800"],
              ),
              { maxLength: 5 },
            )
            .map((pieces) => pieces.join("")),
        ),
        { selector: ([name]) => name, maxLength: 4 },
      ),
    ),
    { maxLength: 2 },
  )
  .map((calls) => {
    const elements = calls.map(([tool, args]) => {
      const values = args.map(([name, value]) => `<${name}>${value}</${name}>`);
      return `<${tool}>${values.join("\n")}</${tool}>`;
    });
    return `<execute>${elements.join(" ")}</execute>`;
  });

describe("round trip", () => {
  it("gives the same events in the JSON dialect", () => {
    fc.assert(
      fc.property(wireText, fc.constantFrom("text" as const, "think" as const), (text, startIn) => {
        expectRoundTrip(text, "json", { startIn });
      }),
      randomRuns(4000),
    );
  });

  it("gives the same events for blocks that needed repairs or are not written like JSON.stringify", () => {
    const runs = randomRuns(1500);
    let calls = 0;
    fc.assert(
      fc.property(repairableBlock, (text) => {
        calls += expectRoundTrip(text, "json", { repair: true }).length;
      }),
      runs,
    );
    expect(calls).toBeGreaterThan(runs.numRuns / 3);
  });

  it("gives the same events in the XML dialect", () => {
    const runs = randomRuns(4000);
    let calls = 0;
    fc.assert(
      fc.property(fc.oneof(xmlWireText, fc.constant("")), xmlBlock, (text, block) => {
        calls += expectRoundTrip(text + block, "xml").filter(({ type }) => type === "call").length;
      }),
      runs,
    );
    expect(calls).toBeGreaterThan(runs.numRuns / 8);
  });

  it.each([
    ["numbers as keys", '{"b":1,"10":2,"9":{"z":0,"0":1}}'],
    ["keys with escapes", '{"\\\\":1,"x":{"\\n":2,"\\u0001":3,"\\"":4}}'],
    ["numbers that JavaScript writes differently", '{"a":1e20,"b":-0,"c":0.10,"d":1E-7}'],
    ["markers", '{"a":"</execute>","</think>":"<results>"}'],
  ])("keeps %s in JSON as they were read", (_, args) => {
    expect(expectRoundTrip(`<execute>[{"name":"a","args":${args}}]</execute>`, "json")).toHaveLength(1);
  });

  it.each([
    ["a line break alone", "\n\n\n"],
    ["a carriage return at the end", "\na\r\r\n"],
    ["line breaks of every kind", "\n\r\n \r\n\n"],
    ["its own closing tag", "a</v> b"],
    ["an opening tag", "</w><v>"],
  ])("keeps %s in an XML value", (_, value) => {
    expect(expectRoundTrip(`<execute><t><v>${value}</v></t></execute>`, "xml")).toHaveLength(1);
  });

  it("keeps a value that may hold a tag only because of the arguments before it", () => {
    const [call] = expectRoundTrip("<execute><t><b>x</b><1>y</1><a>z</a><b></a></t></execute>", "xml");
    expect(call).toMatchObject({ content: '{"name":"t","args":{"1":"y","b":"x","a":"z</a><b>"}}' });
  });
});

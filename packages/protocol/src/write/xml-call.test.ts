import { randomRuns } from "@tooling/vitest/random-runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callOf } from "../call-content.ts";
import { parseSync } from "../parse/parse.ts";
import type { ToolCall } from "../tool.ts";
import { formatCalls } from "./blocks.ts";
import { xmlCall } from "./xml-call.ts";

const read = (calls: ToolCall[]) =>
  parseSync(formatCalls(calls, { dialect: "xml" }), { dialect: "xml" }).flatMap((event) =>
    event.type === "call" ? [callOf(event)] : [],
  );

describe("xmlCall", () => {
  it.each<[string, ToolCall, string]>([
    ["no arguments", { name: "now", args: {} }, "<now></now>"],
    ["text", { name: "read", args: { file: "a&b", empty: "" } }, "<read><file>a&b</file><empty></empty></read>"],
    [
      "values that are no text, as JSON",
      { name: "t", args: { n: 1, ok: true, no: null, list: [1, "a\nb"], o: { "</n>": "<x>" } } },
      '<t><n>1</n><ok>true</ok><no>null</no><list>[1,"a\\nb"]</list><o>{"\\u003c/n>":"<x>"}</o></t>',
    ],
    ["lines", { name: "w", args: { v: "a\nb" } }, "<w><v>\na\nb\n</v></w>"],
    ["a carriage return", { name: "w", args: { v: "a\r" } }, "<w><v>\na\r\r\n</v></w>"],
    [
      "arguments in an order in which each can be read",
      { name: "t", args: { 1: "</1><b>", b: "x", a: "" } },
      "<t><b>x</b><1></1><b></1><a></a></t>",
    ],
    [
      "names that it cannot hold",
      { name: "a b", args: { "": "1", _: "2", é: "3" } },
      "<a_b><_>1</_><__>2</__><___>3</___></a_b>",
    ],
    [
      "__proto__",
      { name: "__proto__", args: JSON.parse('{"__proto__":1}') },
      "<__proto__><__proto___>1</__proto___></__proto__>",
    ],
  ])("writes %s", (_, call, text) => {
    expect(xmlCall(call)).toBe(text);
    expect(read([call])).toHaveLength(1);
  });

  it.each([
    ["the end of its call", "a</v>\n</t>b", "a< /v>\n</t>b"],
    ["an argument of its own", "a</v> <w>b</v>", "a< /v> <w>b</v>"],
    ["the end of the block", "a</t> </execute>b", "a< /t> </execute>b"],
  ])("changes a value that would bring %s by one space", (_, value, read_) => {
    expect(read([{ name: "t", args: { v: value } }])).toEqual([{ name: "t", args: { v: read_ } }]);
  });

  it("writes a block that reads back as the same calls, with each value unchanged where that is possible", () => {
    const name = fc.constantFrom("a", "b", "t", "1", "execute", "a.b");
    const value = fc
      .array(
        fc.constantFrom("</a>", "</b>", "</t>", "</execute>", "<a>", "<b>", "<x>", "\n", "\r", " ", "w", "<", "</"),
        {
          maxLength: 6,
        },
      )
      .map((pieces) => pieces.join(""));
    const call = fc.record({ name, args: fc.dictionary(name, value, { noNullPrototype: true }) });
    fc.assert(
      fc.property(fc.array(call, { maxLength: 3 }), (calls) => {
        const again = read(calls);
        expect(again).toMatchObject(calls.map(({ name }) => ({ name })));
        calls.forEach(({ args }, i) => {
          const { args: written } = again[i] as ToolCall;
          expect(Object.keys(written).sort()).toEqual(Object.keys(args).sort());
          for (const [key, value] of Object.entries(args)) {
            expect(String(written[key]).replaceAll("< /", "</")).toBe(value as string);
            if (!(value as string).includes("</")) expect(written[key]).toBe(value);
          }
        });
      }),
      randomRuns(3000),
    );
  });
});

import { randomRuns } from "@tooling/vitest/random-runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { texts } from "../../test/arbitraries.ts";
import { calls, events, eventTypes } from "../../test/read.ts";
import { callOf } from "../call-content.ts";
import type { FinishReason } from "../usage.ts";
import { createParser } from "./parser.ts";

const xml = { dialect: "xml" } as const;

/** The arguments of the block's only call, undefined where it is refused. */
function argsOf(elements: string): unknown {
  const [call] = events(`<execute>${elements}</execute>`, xml);
  return call?.type === "call" ? callOf(call as never).args : undefined;
}

describe("a block of the XML dialect", () => {
  it.each([
    ["\nx\n", "x"],
    ["\r\nx\r\n", "x"],
    ["\rx\r", "x"],
    ["\n\nx\n\n", "\nx\n"],
    ["\n\rx\r\r\n", "\rx\r"],
    ["\r\rx\n\r", "\rx\n"],
    ["\n", ""],
    ["\r\n", ""],
    ["\n\r", ""],
    ["\n\n\n", "\n"],
    [" \nx\n ", " \nx\n "],
    ["", ""],
  ])("reads %j as %j: one line break beside each tag is layout", (value, content) => {
    expect(argsOf(`<t><a>${value}</a></t>`)).toEqual({ a: content });
  });

  it.each<[string, string, string?]>([
    ["an own closer that no tag of the tool follows", "x</a> y"],
    ["an own closer before another tool's", "x</a></b>"],
    ["an own closer before an argument already given", "x</a><a>"],
    ["a tool closer", "x</t>"],
    ["a tool closer before what is not quite the block's", "x</t> </execute >"],
    ["the block's closer", "x</execute>"],
    ["a closer with a space", "x</a ></t >"],
    ["a closer in another letter case", "x</A></T>"],
    ["two own closers", "x</a></a>"],
    ["entities", "&amp;&lt;"],
    ["beginnings of tags", "< </ <a <!-- </"],
    ["markers", "<think>`<end>"],
    ["a lone surrogate", "\ud83d", "\ufffd"],
  ])("keeps %s in a value", (_, value, content = value) => {
    expect(argsOf(`<t><a>${value}</a></t>`)).toEqual({ a: content });
  });

  it.each<[string, { [name: string]: string } | undefined, string]>([
    ["<t><a>1</a> \n<b>2</b></t>", { a: "1", b: "2" }, "an argument closes before one not yet given"],
    ["<t><a>1</a><b>2</b><a>3</b></t>", { a: "1", b: "2</b><a>3" }, "but not before one already given"],
    ["<t><a>1</a><b></a></t>", undefined, "what opened an argument is no value's text any more"],
    ["<t><t>v</t></t>", { t: "v" }, "an argument may be named like its tool"],
    ["<t><t>v</t></t></t>", undefined, "which ends with it"],
    ["<t><execute>v</execute></t>", { execute: "v" }, "or like the block"],
    ["<execute><a>v</a></execute>", { a: "v" }, "and so may the tool"],
    ["<t><b>2</b><1>x</1><a>1</a></t>", { "1": "x", b: "2", a: "1" }, "names of digits are names"],
    ["<x.y-_9><A.b->1</A.b-></x.y-_9>", { "A.b-": "1" }, "all characters of names"],
    ["<t><constructor>1</constructor></t>", { constructor: "1" }, "names of Object.prototype"],
    ["<t><toString>1</toString><a>2</a></t>", { toString: "1", a: "2" }, "names of Object.prototype, in between"],
    ["<t> </t>", {}, "no arguments"],
  ])("reads %j as %j: %s", (elements, args) => {
    expect(argsOf(elements)).toEqual(args);
  });

  it.each([
    ["<execute><t><__proto__>x</__proto__></t></execute>", 22, /__proto__ is not allowed/],
    ["<execute><t><a>x</t></execute>", 29, /<\/a> is missing/],
    ["<execute><t><a>x</t> \n</execute>", 31, /<\/a> is missing/],
    ["<execute><t><execute>x</t></execute></execute></t>", 35, /<\/execute> is missing/],
    ["<execute><t>x", 12, /found "x" instead of <argument> or <\/t>/],
    ["<execute><t></t>x", 16, /found "x" instead of <tool> or <\/execute>/],
    ["<execute><t></x", 14, /found "x" instead of .*<\/t>/],
    ["<execute><t/>", 11, /found "\/" instead of <tool>/],
    ["<execute><t a='1'>", 11, /found " " instead of <tool>/],
    ["<execute><>", 10, /found ">"/],
    ["<execute></>", 11, /found ">"/],
    ["<execute></end>", 12, /found "n".*after <\/e/],
    ["<execute><t></t\n></execute>", 15, /instead of .*<\/t>/],
    ["<execute><é>", 10, /found "é"/],
    ["<execute><t>\u00a0</t></execute>", 12, /instead of/],
  ])("P4 says where %j is wrong and what to do", (text, position, message) => {
    expect(events(text, xml)).toMatchObject([
      { code: "malformed_execute", position, content: expect.stringMatching(message) },
    ]);
  });

  it("P6 refuses at the first character with which no valid block can continue", () => {
    fc.assert(
      fc.property(texts.xml.damaged, (text) => {
        const parser = createParser(xml);
        for (let i = 0; i < text.length && !parser.done; i++) {
          const error = parser.write(text.charAt(i)).find((event) => event.type === "error");
          if (!error) continue;
          expect(error.position).toBe(i);
          expect(eventTypes(text.slice(0, i), xml, "length")).not.toContain("malformed_execute");
        }
      }),
      randomRuns(1000),
    );
  });

  it("P6 refuses the block's end in an open value with its last character, not before", () => {
    const parser = createParser(xml);
    expect(parser.write("<execute><t><a>x</t></execute")).toEqual([]);
    expect(parser.write(">")).toMatchObject([{ type: "error", code: "malformed_execute", position: 29 }]);
  });

  it("closes an argument only before a complete tag", () => {
    const parser = createParser(xml);
    expect(parser.write("<execute><t><a>x</a></t")).toEqual([]);
    expect(parser.write(" y</a></t></execute>")).toMatchObject([
      { type: "call", content: '{"name":"t","args":{"a":"x</a></t y"}}' },
      { type: "execute" },
    ]);
  });

  const whole = "<execute>\n<t>\n<a>1</a> </t><u></u>\n</execute>";
  const afterTools = whole.indexOf("</u>") + "</u>".length;

  it.each<FinishReason>(["stop", "length"])(
    "P14 distinguishes a block that is cut anywhere from one that only lacks its closer: %s",
    (finish) => {
      for (let end = whole.indexOf("<t>") + 1; end < whole.length; end++) {
        const text = whole.slice(0, end);
        const [last] = events(text, xml, finish).slice(-1);
        const betweenTools = text.endsWith("</t>") || text.endsWith("</t><");
        const isComplete = end >= afterTools || betweenTools || end === whole.indexOf("<t>") + 1;
        const expected = { code: "truncated_execute", position: end };
        expect(last, text).toMatchObject(isComplete && finish === "stop" ? { type: "execute" } : expected);
      }
    },
  );

  it("gives the calls that were read before the cut, if the block runs", () => {
    expect(calls("<execute><t></t><", xml)).toEqual(['{"name":"t","args":{}}']);
    expect(calls("<execute><t></t><u", xml)).toEqual([]);
  });

  it("runs an empty block, and nothing in it", () => {
    expect(eventTypes("<execute> \n</execute>", xml)).toEqual(["execute"]);
    expect(eventTypes("<execute></execute>", xml)).toEqual(["execute"]);
  });

  it("forgets the arguments of a call when the next one begins", () => {
    expect(calls("<execute><t><a>1</a></t><t><a>2</a></t></execute>", xml)).toEqual([
      '{"name":"t","args":{"a":"1"}}',
      '{"name":"t","args":{"a":"2"}}',
    ]);
  });

  it("has no repairs", () => {
    const bad = "<execute>```\n<t></t>\n```</execute>";
    expect(eventTypes(bad, { ...xml, repair: true })).toEqual(eventTypes(bad, xml));
    expect(eventTypes("<execute><t></t><|end|></execute>", { ...xml, repair: true })).toEqual(["malformed_execute"]);
  });
});

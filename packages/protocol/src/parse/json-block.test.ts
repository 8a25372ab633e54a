import { randomRuns } from "@tooling/vitest/random-runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { texts } from "../../test/arbitraries.ts";
import { calls, callWith, events, eventTypes, readSettled } from "../../test/read.ts";
import { isKept } from "../../test/reference/json-number.ts";
import { callOf } from "../call-content.ts";
import { stringFault } from "../text/json-strings.ts";
import { jsonText } from "../text/json-text.ts";
import { createParser } from "./parser.ts";

const runs = randomRuns(1000);

/** The texts of a JSON value nested in arrays and objects. */
const nested = (inside: fc.Arbitrary<string>) =>
  fc
    .tuple(
      inside,
      fc.array(fc.constantFrom<[string, string]>(["[1,", "]"], ['{"x":', "}"], ["[", ",{}]"]), { maxLength: 5 }),
    )
    .map(([text, around]) => around.reduce((value, [before, after]) => before + value + after, text));

const key = fc.oneof(fc.string({ unit: "binary", maxLength: 4 }), fc.constantFrom("name", "args", "constructor", ""));

/** A key in JSON, each of its UTF-16 units as it stands or as an escape. */
const escaped = (text: string) =>
  fc.array(fc.boolean(), { minLength: text.length, maxLength: text.length }).map((choices) => {
    const units = text.split("").map((unit, i) => {
      if (!choices[i]) return JSON.stringify(unit).slice(1, -1);
      return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
    });
    return `"${units.join("")}"`;
  });

describe("a block of the JSON dialect", () => {
  it.each([
    ["<execute>[oops]</execute>", 10, /character 2: found "o" instead of /],
    ["<execute>[}", 10, /found "}" instead of /],
    [callWith('{"q":"5" screen"}'), 38, /found "s" instead of .*\(write \\" in strings\) after .*"q":"5"/],
    [callWith('{"a":1 "b":2}'), 36, /found "\\"" instead of ,}/],
    [callWith("{a:1}"), 30, /found "a" instead of /],
    [
      callWith('{"p":"E:\\C"}'),
      41,
      /a raw backslash in the string "p" of \w+ after .*"p":"E:; write a backslash and \\\./,
    ],
    [
      callWith('{"p":"a\nb"}'),
      40,
      /a raw line break in the string "p" of \w+ after .*"p":"a; write a backslash and n\./,
    ],
    [callWith('{"p":"a\r\nb"}'), 41, /a raw line break in .* write a backslash and r\./],
    [callWith('{"p":"a\tb"}'), 40, /a raw character in the string "p" .* write a backslash and t\./],
    [callWith('{"p":"a\u0001b"}'), 40, /a raw character in the string "p" .* write a backslash and u0001\./],
    [
      callWith('{"o":{"in":"{\\"x\\":1,\n"}}'),
      54,
      /a raw line break in the string "in" of \w+ after .*\\"x\\":1,; write/,
    ],
    ['<execute>[{"args":{"p":"a\nb"', 27, /a raw line break in the string "p" after \{"args":\{"p":"a; write/],
    ['<execute>[{"name":"a","arguments":{}}]', 36, /a call has no "args" \(did you mean "args" by "arguments"\?\)\./],
    [callWith('{"a":1,"a":2}'), 38, /the key "a" is given twice/],
    [callWith('{"__proto__":2}'), 40, /the key "__proto__" is .*not allowed/],
    [callWith('{"n":9007199254740993}'), 34, /not a number that can be kept; write it as a string/],
    [callWith('{"n":9007199254740993.0}'), 34, /not a number that can be kept; write it as a string/],
    [callWith('{"n":1e999}'), 34, /not a number that can be kept; write it as a string/],
    [callWith('{"n":01}'), 35, /not a number/],
    [callWith('{"n":1.e1}'), 36, /not a number/],
    [callWith('{"n":-}'), 35, /not a number/],
    [callWith('{"n":tru}'), 37, /found "}" instead of e/],
    [callWith(`{"a":${"[".repeat(254)}`), 287, /deeper than 256 levels/],
    ['text <execute>[{"name":7', 23, /found "7" instead of " after {"name":$|found "7" instead of "/],
    ['<execute>[{"name":"a","args":[', 29, /found "\[" instead of \{ after .*"args":/],
    ['<execute>[{"args":{}}]', 20, /a call has no "name"/],
    ['<execute>[{"name":"a"}]', 21, /a call has no "args"/],
    ["<execute>[] x", 12, /found "x" instead of </],
    ["<execute>[]</exit", 15, /found "i" instead of ecute>/],
    ['<execute>{"name":"a","args":{}}', 9, /found "\{" instead of \[/],
    ["<execute>```", 9, /found "`" instead of \[/],
  ])("P4 says where %j is wrong, what was found and how to mend it", (text, position, message) => {
    expect(events(text).at(-1)).toMatchObject({
      code: "malformed_execute",
      position,
      content: expect.stringMatching(message),
    });
    expect(events(text).at(-1)).toHaveProperty("content", expect.stringMatching(/Nothing was run\.$/));
  });

  it("P4 says that a block was cut off, and gives advice at the output limit", () => {
    const text = '<execute>[{"name":"a"';
    const cutOff = { code: "truncated_execute", position: 21 };
    expect(events(text)).toMatchObject([
      { ...cutOff, content: expect.stringMatching(/was cut off\. Nothing was run/) },
    ]);
    const limit = expect.stringMatching(/cut off at the output limit: write long content in parts/);
    expect(events(text, {}, "length")).toMatchObject([{ ...cutOff, content: limit }]);
  });

  it("P6 closes only outside a JSON string, for any arguments", () => {
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 4 }),
      fc.constantFrom("</execute>", "]</execute>", '"}]</execute>', "\\"),
    );
    fc.assert(
      fc.property(value, (value) => {
        const args = JSON.parse(JSON.stringify({ value }));
        fc.pre(!jsonText(args).includes("__proto__"));
        const parsed = events(callWith(jsonText(args)));
        expect(parsed.map((event) => event.type)).toEqual(["call", "execute"]);
        expect(callOf(parsed[0] as never)).toEqual({ name: "w", args });
      }),
      runs,
    );
  });

  it("P6 refuses at the first character outside a string with which no valid array can continue", () => {
    fc.assert(
      fc.property(texts.json.damaged, (text) => {
        const parser = createParser();
        for (let i = 0; i < text.length && !parser.done; i++) {
          const error = parser.write(text.charAt(i)).find((event) => event.type === "error");
          if (!error) continue;
          expect(error.position).toBeLessThanOrEqual(i);
          const before = text.slice(0, i);
          // Strings are checked when their call closes, numbers when they end.
          if (stringFault(before) >= 0 || /number/.test(error.content)) continue;
          expect(error.position).toBe(i);
          expect(eventTypes(before, {}, "length")).not.toContain("malformed_execute");
        }
      }),
      runs,
    );
  });

  it("P6 checks a string when its call closes, at the latest", () => {
    const parser = createParser();
    expect(parser.write('<execute>[{"name":"w","args":{"p":"E:\\C","q":"\n"')).toEqual([]);
    expect(parser.write("}")).toEqual([]);
    expect(parser.write("}")).toMatchObject([{ type: "error", code: "malformed_execute" }]);
  });

  it("P6 checks a number when it ends", () => {
    const parser = createParser();
    expect(parser.write('<execute>[{"name":"w","args":{"a":1e309')).toEqual([]);
    expect(parser.write(" ")).toMatchObject([{ type: "error", code: "malformed_execute", position: 34 }]);
  });

  it.each([
    ["<execute>[", "truncated_execute"],
    ['<execute>[{"name":"a","args":{"x":tru', "truncated_execute"],
    ['<execute>[{"name":"a","args":{"x":-', "truncated_execute"],
    ['<execute>[{"name":"a","args":{"x":1.', "truncated_execute"],
    ['<execute>[{"name":"a","args":{"x":1.e', "malformed_execute"],
    ['<execute>[{"name":"a","args":{"x":9007199254740993', "truncated_execute"],
    ['<execute>[{"name":"a","args":{"x":1e999', "malformed_execute"],
    ['<execute>[{"name":"a","args":{"x":1E999', "malformed_execute"],
    [`<execute>[{"name":"a","args":{"x":1${"0".repeat(320)}`, "truncated_execute"],
    [`<execute>[{"name":"a","args":{"x":1${"0".repeat(320)}e-3`, "truncated_execute"],
    [`<execute>[{"name":"a","args":{"x":1${"0".repeat(320)}e`, "truncated_execute"],
    [`<execute>[{"name":"a","args":{"x":1${"0".repeat(320)}e+`, "truncated_execute"],
    [`<execute>[{"name":"a","args":{"x":1${"0".repeat(320)}e+0`, "malformed_execute"],
    ['<execute>[{"name":"a","args":{"x":1e31', "truncated_execute"],
    ['<execute>[{"name":"a","args":{"x":01', "malformed_execute"],
    ['<execute>[{"name":"a","args":{"x":trx', "malformed_execute"],
    ['<execute>[{"name":"a","args":{"x":"\\', "truncated_execute"],
    ['<execute>[{"name":"a","args":{"x":"\\u00', "truncated_execute"],
    ['<execute>[{"name":"a","args":{"x":"\\u00g', "malformed_execute"],
    ['<execute>[{"name":"a","args":{"x":"\\u09a', "truncated_execute"],
    ['<execute>[{"name":"a","args":{"x":"\\ufa9', "truncated_execute"],
    ['<execute>[{"name":"a","args":{"x":"\\uAFB', "truncated_execute"],
    ['<execute>[{"name":"a","args":{"x":"\\uCDE', "truncated_execute"],
    ['<execute>[{"name":"a","args":{"x":"\\ubcd', "truncated_execute"],
    ['<execute>[{"name":"a","args":{"x":"\\ue', "truncated_execute"],
    ['<execute>[{"name":"a","args":{"x":"a\tb', "malformed_execute"],
    ['<execute>[{"name":"a","name', "truncated_execute"],
    ['<execute>[{"name":"a","name"', "malformed_execute"],
    ['<execute>[{"name":"a","args":{}}]</execute', "truncated_execute"],
    ['<execute>[{"name":"a","args":{}}]</exit', "malformed_execute"],
    ["<execute>[,", "malformed_execute"],
  ])("P6 distinguishes %j, cut at the limit, from a malformed block", (text, code) => {
    expect(eventTypes(text, {}, "length")).toEqual([code]);
  });

  it("P6 calls every beginning of a valid block, cut at the limit, truncated", () => {
    fc.assert(
      fc.property(texts.json.block, fc.nat(), (block, at) => {
        const text = block.slice(0, "<execute>[".length + (at % (block.length - "<execute>[".length)));
        fc.pre(/[[{]/.test(text));
        expect(eventTypes(text, {}, "length")).toEqual(["truncated_execute"]);
      }),
      runs,
    );
  });

  it("P13 replaces a lone surrogate written as an escape, in keys too", () => {
    expect(calls(callWith('{"\\ud83d":["\\ude80","\\ud83d\\ude80","\\\\ud83d"]}'))).toEqual([
      '{"name":"w","args":{"\ufffd":["\ufffd","🚀","\\\\ud83d"]}}',
    ]);
    expect(calls('<execute>[{"name":"\\ud83d","args":{}}]</execute>')).toEqual(['{"name":"\ufffd","args":{}}']);
  });

  it("P15 refuses a key that is given twice, however it is written and however deep it stands", () => {
    const object = fc
      .tuple(fc.uniqueArray(key, { minLength: 1, maxLength: 5 }), fc.nat())
      .filter(([keys]) => !keys.includes("__proto__"))
      .chain(([keys, which]) => {
        const twice = keys[which % keys.length] ?? "";
        return fc.tuple(fc.tuple(...keys.map(escaped)), escaped(twice));
      })
      .map(([keys, twice]) => `{${[...keys, twice].map((each, i) => `${each}:${i}`).join(",")}}`);
    fc.assert(
      fc.property(nested(object), (value) => {
        expect(eventTypes(callWith(`{"a":${value}}`))).toEqual(["malformed_execute"]);
      }),
      runs,
    );
  });

  it("P15 refuses the key __proto__, however it is written and however deep it stands", () => {
    fc.assert(
      fc.property(nested(escaped("__proto__").map((key) => `{"a":1,${key}:2}`)), (value) => {
        expect(eventTypes(callWith(`{"a":${value}}`))).toEqual(["malformed_execute"]);
      }),
      runs,
    );
  });

  it("P15 accepts exactly the safe integers, integers with an exponent that a double keeps, and fractions", () => {
    const digits = (max: number) => fc.stringMatching(new RegExp(`^(0|[1-9]\\d{0,${max}})$`));
    const exponent = fc.oneof(
      fc.constant(""),
      fc.integer({ min: -400, max: 400 }).map((power) => `e${power}`),
    );
    const fraction = fc.oneof(fc.constant(""), fc.constantFrom(".0", ".5", ".125", ".1234567890123456789"));
    const literal = fc
      .tuple(fc.constantFrom("", "-"), fc.oneof(digits(20), digits(3)), fraction, exponent)
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(literal, (literal) => {
        const written = [`{"name":"w","args":{"n":[${literal}]}}`];
        expect(calls(callWith(`{"n":[${literal}]}`))).toEqual(isKept(literal) ? written : []);
      }),
      runs,
    );
  });

  it.each([
    [`{"a":${"[".repeat(254)}${"]".repeat(254)}}`, "depth 257"],
    [`${'{"a":'.repeat(254)}{}${"}".repeat(254)}`, "depth 257 in objects"],
    ['{"a":-9007199254740992}', "the first unsafe integer"],
    [`{"a":1${"0".repeat(400)}.5}`, "an overflow without an exponent"],
    ['{"a":2512292042121000001.0}', "an unsafe integer with a fraction"],
    ['{"a":2.512292042121000001e18}', "an unsafe integer with an exponent"],
  ])("P15 refuses %.60s: %s", (args) => {
    expect(eventTypes(callWith(args))).toEqual(["malformed_execute"]);
  });

  it.each([
    [`{"a":${"[".repeat(253)}${"]".repeat(253)}}`, "depth 256"],
    [`${'{"a":'.repeat(253)}{}${"}".repeat(253)}`, "depth 256 in objects"],
    ['{"a":{"x":1},"b":{"x":1}}', "the same key in two objects"],
    ['{"a":1e308,"b":5e-324,"c":9007199254740992.0}', "large and small numbers that are no integer literals"],
    ['{"a":0.30000000000000004,"b":1.000000000000000000,"c":0e999}', "long numbers that a double keeps"],
    ['{"a":1e-999,"b":0.1234567890123456789,"c":9007199254740992.5}', "fractions, which are rounded"],
    ['{"a":1E30,"b":-1E+30}', "the same with a capital E"],
    ['{"constructor":{"prototype":1},"toString":2}', "other special names"],
    ['{"name":{"args":1},"args":{"name":2}}', "the keys of a call"],
  ])("P15 accepts %.60s: %s", (args) => {
    expect(eventTypes(callWith(args))).toEqual(["call", "execute"]);
  });

  it("P15 holds for the keys of a call, and for values that are ignored", () => {
    expect(eventTypes('<execute>[{"name":"a","n\\u0061me":"b","args":{}}]</execute>')).toEqual(["malformed_execute"]);
    expect(eventTypes('<execute>[{"name":"a","x":{"b":1e999},"args":{}}]</execute>')).toEqual(["malformed_execute"]);
    expect(eventTypes('<execute>[{"name":"a","x":"\\x","args":{}}]</execute>')).toEqual(["malformed_execute"]);
  });

  it("keeps numbers and the order of keys as they were written, and no white space", () => {
    const args = '{ "b" : [ 1.0, -0 ,1e5,1E+2, 0.10 ],\t"10":{\r\n} , "9" : true }';
    const content = '{"name":"w","args":{"b":[1.0,-0,1e5,1E+2,0.10],"10":{},"9":true}}';
    expect(calls(callWith(args))).toEqual([content]);
    expect(calls(`<execute>[{"args":${args},"name":"w"}]</execute>`)).toEqual([content]);
  });

  it("writes strings as JSON.stringify does", () => {
    const anyString = fc.string({ unit: "binary", maxLength: 6 });
    fc.assert(
      fc.property(anyString, anyString.chain(escaped), (name, value) => {
        const text = `<execute>[{"name":${JSON.stringify(name)},"args":{"v":${value}}}]</execute>`;
        const read = { name: name.toWellFormed(), args: { v: (JSON.parse(value) as string).toWellFormed() } };
        expect(calls(text)).toEqual([JSON.stringify(read)]);
      }),
      runs,
    );
  });

  it.each([
    [`<execute>[{"name":"a","args":{"x":1e999`, 34],
    [`<execute>[{"name":"a","args":{"x":01`, 35],
    [`<execute>[{"name":"a","args":{"x":1.e`, 36],
  ])("P4 says where the number is wrong with which %j ends", (text, position) => {
    expect(events(text)).toMatchObject([{ code: "malformed_execute", position }]);
    expect(readSettled(text.split(""))).toMatchObject([{ code: "malformed_execute", position }]);
  });

  it("P4 counts the characters that it names from the block's beginning", () => {
    const error = { position: 20, content: expect.stringMatching(/at character 4:/) };
    expect(events("A reply <execute>[{ oops").at(-1)).toMatchObject(error);
  });

  it("gives the keys that were written, after any other keys", () => {
    const text = String.raw`<execute>[{"name":"w","args":{"c":1,"\\":2}},{"name":"w","args":{"c":[{"\u0061" :"\":"}]}}, {"name":"w","args":{"c":1,"\u0061":2}}]</execute>`;
    expect(calls(text)).toEqual([
      String.raw`{"name":"w","args":{"c":1,"\\":2}}`,
      String.raw`{"name":"w","args":{"c":[{"a":"\":"}]}}`,
      '{"name":"w","args":{"c":1,"a":2}}',
    ]);
  });

  it("ignores other keys of a call, wherever they stand", () => {
    expect(calls('<execute>[{"id":1,"args":{},"name":"a","note":{"x":["}"]}}]</execute>')).toEqual([
      '{"name":"a","args":{}}',
    ]);
    expect(calls('<execute>[{"name":"a","args":{"b":1},"name2":""}]</execute>')).toEqual([
      '{"name":"a","args":{"b":1}}',
    ]);
  });
});

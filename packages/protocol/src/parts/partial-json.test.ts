import { randomRuns } from "@tooling/vitest/random-runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { partialArgs, partialJson } from "./partial-json.ts";

/** Whether a value may become the other one when more is written: the last thing in it is cut, and everything before is whole. */
function isBeginningOf(value: unknown, whole: unknown): boolean {
  if (typeof value === "string" && typeof whole === "string") return whole.startsWith(value);
  if (typeof value !== "object" || value === null) return Object.is(value, whole);
  if (typeof whole !== "object" || whole === null || Array.isArray(value) !== Array.isArray(whole)) return false;
  const [entries, of] = [Object.entries(value), Object.entries(whole)];
  return entries.every(([key, inner], i) => {
    const isLast = i === entries.length - 1;
    return (
      of[i]?.[0] === key &&
      (isLast ? isBeginningOf(inner, of[i]?.[1]) : JSON.stringify(inner) === JSON.stringify(of[i]?.[1]))
    );
  });
}

/** Keys in the order in which they are written: those that are numbers would come first. */
const key = fc.oneof(
  fc.string({ maxLength: 3 }).map((name) => `_${name}`),
  fc.constant("__proto__"),
);
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { depthSize: "small" },
    fc.string({ unit: "binary" }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    tie("list"),
    tie("object"),
  ),
  list: fc.array(tie("json"), { maxLength: 4 }),
  object: fc.array(fc.tuple(key, tie("json")), { maxLength: 4 }).map((fields) => objectOf(fields)),
}));
const objectOf = (fields: readonly [string, unknown][]) =>
  JSON.parse(
    `{${[...new Map(fields)].map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value) ?? "null"}`).join(",")}}`,
  );
const args = fc.array(fc.tuple(key, json), { maxLength: 5 }).map((fields) => objectOf(fields as [string, unknown][]));
/** As models write it: with layout, and with every character escaped. */
const written = fc
  .tuple(args, fc.constantFrom("", "  ", "\n", "\t"), fc.boolean())
  .map(([value, indent, isEscaped]) => {
    const text = JSON.stringify(value, null, indent);
    const escaped = text.replace(/[^\0-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
    return { value, text: isEscaped ? escaped : text };
  });

describe("partialArgs", () => {
  it("gives, for each beginning of a text, the beginning of its value, and at the end all of it", () => {
    fc.assert(
      fc.property(written, ({ value, text }) => {
        let before: unknown = {};
        for (let length = 0; length <= text.length; length++) {
          const partial = partialArgs(text.slice(0, length));
          expect(isBeginningOf(partial, value), text.slice(0, length)).toBe(true);
          expect(isBeginningOf(before, partial)).toBe(true);
          before = partial;
        }
        expect(JSON.stringify(before)).toBe(JSON.stringify(value));
        expect(JSON.stringify(partialArgs(` ${text} and more`))).toBe(JSON.stringify(value));
      }),
      randomRuns(2000),
    );
  });

  it.each([
    ["", {}],
    ["  ", {}],
    ["{", {}],
    ['{"na', {}],
    ['{"name"', {}],
    ['{"name":', {}],
    ['{"name":"', { name: "" }],
    ['{"name":"A\\', { name: "A" }],
    ['{"name":"A\\u00e', { name: "A" }],
    ['{"name":"A\\ud83d', { name: "A" }],
    ['{"name":"A\\ud83d\\ude8', { name: "A" }],
    ['{"name":"A\\ud83d\\ude80', { name: "A🚀" }],
    ['{"name":"A\ud83d', { name: "A" }],
    ['{"n":12', {}],
    ['{"n":12,', { n: 12 }],
    ['{"n":1.5e3 ', { n: 1500 }],
    ['{"is":tru', {}],
    ['{"is":true', { is: true }],
    ['{"list":[1,{"a":"b', { list: [1, { a: "b" }] }],
    ['{"list":[[],{}', { list: [[], {}] }],
    ['{"a":1}', { a: 1 }],
    ['{"a":"x\\N', { a: "x" }],
    ['{"a":"x\n', { a: "x" }],
  ])("reads %j", (text, value) => {
    expect(partialArgs(text)).toStrictEqual(value);
  });

  it.each([
    '{"a":1,}',
    '{"a":1,,"b":2}',
    '{"a":1 "b":2}',
    '{"a":1]',
    '{"a":1,"b":01}',
    '{"a":1,"b":}',
    '{"a":1,b:2}',
    '{"a":1,"b":TRUE}',
  ])("reads %j up to its fault", (text) => {
    expect(partialArgs(text)).toStrictEqual({ a: 1 });
  });

  it.each(["[1]", '"a"', "12", "null", "<file>a.txt</file>", "no JSON"])(
    "has no fields of %j, which is no object",
    (text) => {
      expect(partialArgs(text)).toStrictEqual({});
    },
  );

  it("never throws, whatever the text is", () => {
    const token = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      '"',
      ":",
      ",",
      "\\",
      "u",
      "d83d",
      "1",
      "-",
      ".",
      "e",
      "true",
      "nul",
      " ",
      "\n",
      "a",
      "\ud83d",
      "\ude80",
      "\0",
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 40 }), (tokens) => {
        const value = partialArgs(`{${tokens.join("")}`);
        expect(typeof value === "object" && !Array.isArray(value)).toBe(true);
      }),
      randomRuns(20_000),
    );
    expect(partialArgs('{"a":'.repeat(200_000))).toBeTypeOf("object");
    expect(partialArgs(`{"a":${"[".repeat(200_000)}`)).toBeTypeOf("object");
  });

  it("keeps a key that is the name of a prototype as a field", () => {
    const value = partialArgs('{"__proto__":{"x":1},"y":"z');
    expect(Object.keys(value)).toEqual(["__proto__", "y"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});

describe("partialJson", () => {
  it.each<[string, unknown]>([
    ["", undefined],
    [" ", undefined],
    ["no json", undefined],
    ["12", undefined],
    ["12 ", 12],
    ["tru", undefined],
    ["true", true],
    ['"a', "a"],
    ['"a\\', "a"],
    ['"a" and more', "a"],
    ['"\ud83d', ""],
    ["[true, nul", [true]],
    ['[{"x": tr', [{}]],
    ["[1 2", [1]],
    ['{"a": [1, 2', { a: [1] }],
    ["{a: 1", {}],
  ])("reads %j", (text, value) => {
    expect(partialJson(text)).toStrictEqual(value);
  });

  it("gives the whole value for its whole text", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        // A number may go on where nothing follows it.
        expect(partialJson(`${JSON.stringify(value)} `)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      randomRuns(2000),
    );
  });
});

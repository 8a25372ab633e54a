import type { Json } from "@cogency/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { partialJson } from "./partial-json.ts";

describe("partialJson", () => {
  it.each<[string, Json | undefined]>([
    ["", undefined],
    ["{", {}],
    ['{"na', {}],
    ['{"name"', {}],
    ['{"name":', {}],
    ['{"name": "A', { name: "A" }],
    ['{"name": "Ada", "age": 3', { name: "Ada" }],
    ['{"name": "Ada", "age": 36,', { name: "Ada", age: 36 }],
    ['{"a": [1, 2', { a: [1] }],
    ['{"a": [1, 2]', { a: [1, 2] }],
    ['[{"x": tr', [{}]],
    ["[true, nul", [true]],
    ['"a\\u00e', "a"],
    ['"a\\', "a"],
    ['"\ud83d', ""],
    ['{"__proto__": {"x": "y', JSON.parse('{"__proto__": {"x": "y"}}')],
    ["12", undefined],
    ["no json", undefined],
    ['{"a" "b"', undefined],
    ["{a: 1", undefined],
    ["[1 2", undefined],
  ])("of %s is %j", (text, value) => {
    expect(partialJson(text)).toEqual(value);
  });

  it("gives the whole value for the whole text, and a part of it for every beginning", () => {
    const values = fc.oneof(fc.object({ maxDepth: 2, maxKeys: 5 }), fc.array(fc.jsonValue(), { maxLength: 5 }));
    fc.assert(
      fc.property(values, fc.nat(2), (given, spaces) => {
        const text = JSON.stringify(given, undefined, spaces);
        const whole: Json = JSON.parse(text);
        expect(partialJson(text)).toEqual(whole);
        // At most 200 beginnings: the time grows with the square of a long text.
        for (let length = 0; length < text.length; length += Math.ceil(text.length / 200)) {
          const part = partialJson(text.slice(0, length));
          if (part !== undefined && !isPartOf(part, whole)) expect.fail(`not a part: ${text.slice(0, length)}`);
        }
      }),
      { numRuns: 200 },
    );
  });

  it("throws for no text", () => {
    fc.assert(fc.property(fc.string(), (text) => void partialJson(text)));
    fc.assert(fc.property(fc.json(), fc.nat(), (text, at) => void partialJson(text.slice(0, at % (text.length + 1)))));
  });
});

function isPartOf(part: Json, whole: Json | undefined): boolean {
  if (typeof part === "string") return typeof whole === "string" && whole.startsWith(part);
  if (Array.isArray(part)) return Array.isArray(whole) && part.every((item, index) => isPartOf(item, whole[index]));
  if (typeof part !== "object" || part === null) return part === whole;
  if (typeof whole !== "object" || whole === null || Array.isArray(whole)) return false;
  return Object.entries(part).every(([key, value]) => Object.hasOwn(whole, key) && isPartOf(value as Json, whole[key]));
}

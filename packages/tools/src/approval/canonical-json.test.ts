import type { Json } from "@cogency/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "./canonical-json.ts";

describe("canonicalJson", () => {
  it.each<[string, Json, string]>([
    ["sorts keys at every depth", { b: [{ d: 1, c: 2 }], a: null }, '{"a":null,"b":[{"c":2,"d":1}]}'],
    [
      "sorts by UTF-16 code units",
      { "\u{1F600}": 1, "\uFB33": 2, a: 3, A: 4, "10": 5, "9": 6 },
      '{"10":5,"9":6,"A":4,"a":3,"\u{1F600}":1,"\uFB33":2}',
    ],
    ["keeps the order of arrays", [3, 1, 2], "[3,1,2]"],
    ["writes -0 as 0", [-0, 0], "[0,0]"],
    ["writes numbers as JSON.stringify does", [1e21, 1.5, 1e-7, 100], "[1e+21,1.5,1e-7,100]"],
    ["escapes what JSON escapes", ['"\\\n\u2028\uD800'], '["\\"\\\\\\n\u2028\\ud800"]'],
    ["writes plain values", [true, false, null, ""], '[true,false,null,""]'],
    ["writes empty containers", { a: {}, b: [] }, '{"a":{},"b":[]}'],
  ])("%s", (_, value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it("keeps a key __proto__ as data", () => {
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1},"b":1}');
  });

  it("writes 256 levels", () => {
    const text = "[".repeat(256) + "]".repeat(256);
    expect(canonicalJson(JSON.parse(text))).toBe(text);
  });

  it("gives the same text for any order of keys, and loses nothing", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value as Json);
        expect(canonicalJson(reversed(value as Json))).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

function reversed(value: Json): Json {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(reversed);
  const entries = Object.entries(value).map(([key, inner]) => [key, reversed(inner)] as const);
  return Object.fromEntries(entries.reverse());
}

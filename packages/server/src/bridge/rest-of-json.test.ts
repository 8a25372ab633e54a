import type { Json } from "@cogency/protocol";
import { randomRuns } from "@tooling/vitest/random-runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { restOfJson } from "./rest-of-json.ts";

/** JSON texts of a value: with white space, and with characters written as escapes. */
const written = (value: Json, space: string, escaped: number): string =>
  JSON.stringify(value, undefined, space)
    .replaceAll("c", escaped > 0 ? "\\u0063" : "c")
    .replaceAll("/", escaped > 1 ? "\\/" : "/");

// No key has a backslash: after an object with the key "k\\", JSON.parse of Node 24.21 (V8 13.6) may read the key "k\n" of another one as that.
const key = fc.string({ unit: fc.constantFrom("b", "c", "é", '"', "\n", "/") }).map((one) => `k${one}`);
const args = fc.letrec<{ value: Json; object: { [key: string]: Json } }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.string({ unit: fc.constantFrom("b", "c", "é", "😀", '"', "\\", "\n", "\u0001", "/", "\ud800") }),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => (Object.is(one, -0) ? 0 : one)),
    fc.integer(),
    fc.constantFrom(true, false, null),
    fc.array(tie("value"), { maxLength: 3 }),
    tie("object"),
  ),
  object: fc.dictionary(key, tie("value"), { maxKeys: 4, noNullPrototype: true }),
})).object;

describe("restOfJson", () => {
  it("completes any beginning of a JSON text of the value, and nothing else", () => {
    fc.assert(
      fc.property(args, fc.constantFrom("", " ", "\t\n"), fc.nat(2), fc.nat(), (value, space, escaped, cut) => {
        const text = written(value, space, escaped);
        const begun = text.slice(0, cut % (text.length + 1));
        const rest = restOfJson(begun, value);
        expect(rest).toBeTypeOf("string");
        expect(JSON.parse(begun + rest)).toEqual(value);
        if (begun === text) expect(rest).toBe("");
      }),
      randomRuns(3000),
    );
  });

  it("gives nothing for the beginning of the text of another value", () => {
    fc.assert(
      fc.property(args, args, fc.nat(), (value, other, cut) => {
        const text = JSON.stringify(other);
        const begun = text.slice(0, cut % (text.length + 1));
        const rest = restOfJson(begun, value);
        if (rest !== undefined) expect(JSON.parse(begun + rest)).toEqual(value);
      }),
      randomRuns(3000),
    );
  });

  it.each<[begun: string, value: Json, rest: string | undefined]>([
    ["", { a: 1 }, '{"a":1}'],
    ['{"a":1', { a: 12 }, "2}"],
    ['{"a":1e1', { a: 10 }, "}"],
    ['{"a":tr', { a: true }, "ue}"],
    ['{"a":"\\u00', { a: "é" }, 'e9"}'],
    ['{"a":"x\\', { a: "x\n" }, 'n"}'],
    ['{ "a" : [ 1 ,', { a: [1, 2] }, "2]}"],
    ['{"a":1}', { a: 1 }, ""],
    ['{"a":1} ', { a: 1 }, ""],
    ['{"a":1}x', { a: 1 }, undefined],
    ['{"b', { a: 1 }, undefined],
    ['{"a":2', { a: 1 }, undefined],
    ['{"a":"y', { a: "x" }, undefined],
    ['{"a":[', { a: {} }, undefined],
    ["[", {}, undefined],
  ])("makes of %j for %j the rest %j", (begun, value, rest) => {
    expect(restOfJson(begun, value)).toBe(rest);
  });
});

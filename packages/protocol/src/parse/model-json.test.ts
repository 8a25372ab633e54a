import { randomRuns } from "@tooling/vitest/random-runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cut } from "../../test/arbitraries.ts";
import { JsonWriter } from "../../test/generate/json.ts";
import { Random } from "../../test/generate/random.ts";
import { callWith, events } from "../../test/read.ts";
import { isKept } from "../../test/reference/json-number.ts";
import { type ModelJsonOptions, readModelJson } from "./model-json.ts";

const ended = "found the end of the text instead of";
const lossy = "not a number that can be kept; write it as a string";

describe("readModelJson", () => {
  it.each<[what: string, text: string, json: string, options?: ModelJsonOptions]>([
    ["an object without its layout", ' {\n"a" : [ 1, true ] } ', '{"a":[1,true]}'],
    ["numbers as they are spelled", '{"a":[1.0,1e20,-0,0.1]}', '{"a":[1.0,1e20,-0,0.1]}'],
    ["escapes as JSON.stringify writes them", '{"\\u0061":"\\/"}', '{"a":"/"}'],
    ["half characters as U+FFFD", '{"a":"\ud800","b":"\\udc00"}', '{"a":"\ufffd","b":"\ufffd"}'],
    ["a list, where any value is wanted", "[1]", "[1]", { wants: "value" }],
    ["a number, where any value is wanted", " 12", "12", { wants: "value" }],
    ["a text, where any value is wanted", '"{"', '"{"', { wants: "value" }],
    ["the greatest depth", `{"a":${"[".repeat(253)}${"]".repeat(253)}}`, `{"a":${"[".repeat(253)}${"]".repeat(253)}}`],
  ])("keeps %s", (_what, text, json, options) => {
    expect(readModelJson(text, options)).toEqual({ json });
  });

  it.each<[text: string, position: number, message: string, options?: ModelJsonOptions]>([
    ["", 0, `${ended} {`],
    ["", 0, `${ended} a value`, { wants: "value" }],
    ["[1]", 0, 'found "[" instead of {'],
    ['{"a":1', 6, `${ended} ,} after {"a":1`],
    ['{"a":"x', 7, `${ended} what it began after {"a":"x`],
    ['{"a":tru', 8, `${ended} e after {"a":tru`],
    ['{"a":1}{"a":2}', 7, 'found "{" instead of the end after {"a":1}'],
    ['{"a":1} and more', 8, 'found "a" instead of the end after {"a":1}'],
    ['{"a":1,"\\u0061":2}', 14, 'the key "a" is given twice or not allowed'],
    ['{"a":{"__proto__":1}}', 16, 'the key "__proto__" is given twice or not allowed'],
    ['{"id":2512292042121000001}', 6, lossy],
    ['{"n":1e400}', 5, lossy],
    ["-1e400", 0, lossy, { wants: "value" }],
    ['{"a":"x\ny"}', 10, 'a raw line break in the string "a" after {"a":"x; write a backslash and n'],
    ['{"a":"b"c"}', 8, 'found "c" instead of ,} (write \\" in strings) after {"a":"b"'],
    [`{"a":${"[".repeat(254)}`, 258, "deeper than 256 levels"],
  ])("refuses %j", (text, position, message, options) => {
    expect(readModelJson(text, options)).toEqual({ fault: { message, position } });
  });

  /** Objects as models write them, with and without faults. */
  const objects = fc
    .tuple(fc.nat(), fc.constantFrom(0, 0.02, 0.1))
    .map(([seed, slip]) => new JsonWriter(new Random(seed), { slip, repairable: slip / 2 }).object(3));
  const runs = randomRuns(3000);

  it("gives text that JSON.parse reads without loss", () => {
    fc.assert(
      fc.property(objects, (text) => {
        const { json } = readModelJson(text);
        if (json === undefined) return;
        expect(json.isWellFormed()).toBe(true);
        expect(readModelJson(json)).toEqual({ json });
        expect(() => JSON.parse(json)).not.toThrow();
        const numbers = json.replace(/"(?:[^"\\]|\\.)*"/g, "").match(/-?\d[^,\]}]*/g) ?? [];
        for (const literal of numbers) expect([literal, isKept(literal)]).toEqual([literal, true]);
      }),
      runs,
    );
  });

  it("accepts and refuses what the text protocol does as arguments, in the same words, in every chunking", () => {
    const seen = { accepted: 0, refused: 0 };
    /** Without what stands before the fault, which in the text protocol is more. */
    const words = (message: string) => message.replace(/ (?:after|in the string) .*/s, "");
    const begin = callWith("").indexOf("}]");
    fc.assert(
      fc.property(
        objects.chain((text) => fc.tuple(fc.constant(text), cut(callWith(text)))),
        ([text, chunks]) => {
          const { json, fault } = readModelJson(text);
          const [event, last] = events(chunks);
          if (json !== undefined) {
            seen.accepted++;
            expect([event, last]).toEqual([
              { type: "call", content: `{"name":"w","args":${json}}` },
              { type: "execute" },
            ]);
          }
          if (event?.type !== "error" || event.code !== "malformed_execute") return;
          const [, what = ""] = /at character \d+: (.*)\. Nothing was run\.$/s.exec(event.content) ?? [];
          const isStringFault = what.startsWith("a raw ");
          expect(fault).toBeDefined();
          // What follows the arguments is another text.
          const position = Number(event.position) - begin;
          const isBehind = !isStringFault && position >= text.length;
          if (!fault || isBehind || /instead of the end|found the end/.test(fault.message)) return;
          seen.refused++;
          expect(words(fault.message)).toBe(words(what));
          if (!isStringFault) expect(fault.position).toBe(position);
        },
      ),
      runs,
    );
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(runs.numRuns / 30);
  });
});

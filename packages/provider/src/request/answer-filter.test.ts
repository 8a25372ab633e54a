import { describe, expect, it } from "vitest";
import { answerFilter } from "./answer-filter.ts";

const note = { type: "object", properties: { a: { type: "string" }, note: { type: "string" } }, required: ["a"] };
const nullable = { type: "object", properties: { note: { type: ["string", "null"] } } };
const list = { type: "array", items: note };
const either = {
  anyOf: [
    { type: "object", properties: { a: { type: "string" }, n: { type: "null" } } },
    { type: "object", properties: { a: { anyOf: [{ type: "string" }, { type: "null" }] } } },
  ],
};
const tree = { type: "object", properties: { next: { $ref: "#" }, name: { type: "string" } } };
const map = { type: "object", additionalProperties: note };
const taken = { anyOf: [{ type: "object", properties: { answer: {} } }, { type: "string" }] };

/** What is read of a text, in pieces of this length. */
function read(schema: object, text: string, length: number): string {
  const filter = answerFilter({ ...schema });
  let out = "";
  for (let at = 0; at < text.length; at += length) out += filter.write(text.slice(at, at + length));
  return out + filter.end();
}

describe("answerFilter", () => {
  it.each<[string, object, string, string]>([
    ["keeps an answer to an object", note, '{"a": "x", "note": "y"}', '{"a": "x", "note": "y"}'],
    ["takes out null for a key left out", note, '{"a":"x","note":null}', '{"a":"x"}'],
    ["takes out the first member", note, '{ "note" : null , "a" : "x" }', '{   "a" : "x" }'],
    ["takes out the only member", tree, '{"name":null}', "{}"],
    ["keeps null for a required key", note, '{"a":null}', '{"a":null}'],
    ["keeps null where the schema admits it", nullable, '{"note":null}', '{"note":null}'],
    ["keeps null for a key that is not declared", note, '{"a":"x","z":null}', '{"a":"x","z":null}'],
    ["keeps words that begin like null", note, '{"a":"x","note":nullable}', '{"a":"x","note":nullable}'],
    ["keeps null in texts", note, '{"a":"\\"note\\":null,","note":"null"}', '{"a":"\\"note\\":null,","note":"null"}'],
    ["reads keys with escapes", note, '{"a":"x","n\\u006fte":null}', '{"a":"x"}'],
    ["takes a list out of its wrapper", list, '{"answer":[{"a":"x"}]}', '[{"a":"x"}]'],
    ["takes out nulls in a wrapper", list, ' { "answer" : [ {"note":null,"a":"}"} ] } ', '[ {"a":"}"} ] '],
    ["takes a text out of its wrapper", { type: "string" }, '{"answer":"a\\"}b"}', '"a\\"}b"'],
    ["takes a number out of its wrapper", { type: "number" }, '{"answer":-1.50e2}', "-1.50e2"],
    ["takes null out of its wrapper", { type: ["string", "null"] }, '{"answer":null}', "null"],
    ["keeps an answer without the wrapper", list, '[{"a":"x","note":null}]', '[{"a":"x"}]'],
    ["keeps an object that is no wrapper", list, '{"answers":[]}', '{"answers":[]}'],
    ["wraps in another key where the schema has that one", taken, '{"answer_":{"answer":1}}', '{"answer":1}'],
    ["keeps what looks like a wrapper", taken, '{"answer":1}', '{"answer":1}'],
    ["keeps a null that one alternative admits", either, '{"answer":{"a":null,"n":null}}', '{"a":null,"n":null}'],
    ["follows references", tree, '{"next":{"next":null,"name":"a"},"name":null}', '{"next":{"name":"a"}}'],
    ["reads the values of maps", map, '{"k":{"a":"x","note":null},"note":null}', '{"k":{"a":"x"},"note":null}'],
    [
      "keeps numbers as they were written",
      note,
      '{"a":12345678901234567890,"note":1e400}',
      '{"a":12345678901234567890,"note":1e400}',
    ],
    ["keeps a key that stands twice", note, '{"a":"x","a":"y"}', '{"a":"x","a":"y"}'],
    ["keeps prose", note, 'Here: {"a":"x","note":null}', 'Here: {"a":"x","note":null}'],
    ["keeps a fence", note, '```json\n{"note":null}\n```', '```json\n{"note":null}\n```'],
    ["keeps a text for a wrapper that did not come", list, "I cannot.", "I cannot."],
    ["keeps what follows the value", note, '{"a":"x"} {"note":null}', '{"a":"x"} {"note":null}'],
    ["keeps a text that was cut in a member", note, '{"a":"x","note":nul', '{"a":"x","note":nul'],
    ["keeps a text that was cut in a string", note, '{"a":"x\\', '{"a":"x\\'],
    ["keeps a text that was cut in the wrapper", list, '{"answ', '{"answ'],
    ["keeps faults", note, '{"a":"x",,"note":null}', '{"a":"x",,"note":null}'],
    ["keeps a comma at the end", note, '{"a":"x",}', '{"a":"x",}'],
    ["keeps other brackets", note, '{"a":[}]', '{"a":[}]'],
    ["keeps nothing", list, "", ""],
  ])("%s, in pieces of every length", (_, schema, text, expected) => {
    for (let length = 1; length <= text.length + 1; length++) expect(read(schema, text, length)).toBe(expected);
  });

  it("passes a text on as it comes, and holds no more than a key", () => {
    const filter = answerFilter(note);
    expect(["{", '"a"', ":", '"o', "n", 'e",', '"no', 'te":', '"'].map((piece) => filter.write(piece))).toEqual([
      ...["{", "", "", '"a":"o', "n", 'e"', "", "", ',"note":"'],
    ]);
  });
});

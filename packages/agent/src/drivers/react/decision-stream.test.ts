import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DecisionStream } from "./decision-stream.ts";

/** What the stream gives of a text that comes in these pieces. */
function read(pieces: readonly string[], givesAnswer = true) {
  const stream = new DecisionStream(givesAnswer);
  const given = pieces.flatMap((piece) => stream.write(piece));
  const joined = (type: string) => given.flatMap((piece) => (piece.type === type ? [piece.text] : [])).join("");
  expect({ thought: joined("think"), answer: joined("respond") }).toEqual({
    thought: stream.thought,
    answer: stream.answer,
  });
  return { thought: stream.thought, answer: stream.answer };
}

function cut(text: string, sizes: readonly number[]): string[] {
  const pieces: string[] = [];
  let at = 0;
  for (const size of sizes) {
    pieces.push(text.slice(at, at + size));
    at += size;
  }
  return [...pieces, text.slice(at)];
}

describe("DecisionStream", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 30 });
  const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), text);

  it("gives what JSON.parse finds in the thought and the answer, however the text is cut", () => {
    fc.assert(
      fc.property(
        fc.record({ thought: text, other: value, answer: text, more: value }),
        fc.constantFrom(0, 2),
        fc.boolean(),
        fc.array(fc.nat(9), { maxLength: 40 }),
        ({ thought, other, answer, more }, indent, isInner, sizes) => {
          const chosen = { type: "final_answer", other, answer };
          const decision = isInner ? { thought, other, decision: chosen, more } : { thought, ...chosen, more };
          expect(read(cut(JSON.stringify(decision, null, indent), sizes))).toEqual({ thought, answer });
        },
      ),
    );
  });

  it.each<[string, string, object]>([
    ["an answer before its type", '{"answer":"a","type":"final_answer"}', { thought: "", answer: "" }],
    ["an answer of a call", '{"type":"call_tool","answer":"a"}', { thought: "", answer: "" }],
    [
      "an answer in the arguments",
      '{"type":"final_answer","args":{"answer":"a","thought":"b"}}',
      { thought: "", answer: "" },
    ],
    ["an answer after text", 'Well: {"thought":"t"}', { thought: "", answer: "" }],
    ["what stands after the object", '{"thought":"t"} {"thought":"u"}', { thought: "t", answer: "" }],
    [
      "what stands after an end of a list in between",
      '{"a":[1,{"b":"]"}],"thought":"t"}',
      { thought: "t", answer: "" },
    ],
  ])("gives nothing of %s", (_, text, given) => {
    expect(read([...text])).toEqual(given);
  });

  it.each<[string, string]>([
    ["a raw line break", '{"thought":"a\nb","thought":"c"}'],
    ["an unknown escape", '{"thought":"a\\xb","thought":"c"}'],
    ["a broken code point", '{"thought":"a\\u00zz","thought":"c"}'],
    ["a quotation mark too many", '{"thought":"a" b","thought":"c"}'],
    ["a colon too few", '{"thought":"a","type" "x","thought":"c"}'],
    ["a key without quotation marks", '{"thought":"a",type:"x","thought":"c"}'],
  ])("gives nothing after %s", (_, text) => {
    expect(read([...text]).thought).toBe("a");
  });

  it("gives no answer where that is a draft", () => {
    expect(read(['{"thought":"t","type":"final_answer","answer":"a"}'], false)).toEqual({ thought: "t", answer: "" });
  });
});

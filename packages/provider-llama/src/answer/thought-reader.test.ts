import { describe, expect, it } from "vitest";
import { type Piece, ThoughtReader } from "./thought-reader.ts";

const tags = { open: "<think>", close: "</think>" };

function read(text: string, size: number, isThinking: boolean): Piece[] {
  const reader = new ThoughtReader(tags, isThinking);
  const pieces: Piece[] = [];
  for (let at = 0; at < text.length; at += size) pieces.push(...reader.write(text.slice(at, at + size)));
  pieces.push(...reader.end());
  const joined: { type: Piece["type"]; text: string }[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (last?.type === piece.type) last.text += piece.text;
    else joined.push({ ...piece });
  }
  return joined;
}

const thought = (text: string): Piece => ({ type: "reasoning", text });
const said = (text: string): Piece => ({ type: "text", text });

describe("ThoughtReader", () => {
  const cases: [what: string, text: string, isThinking: boolean, pieces: Piece[]][] = [
    ["a thought at the beginning", "<think>Hm.</think>\n\nYes.", false, [thought("Hm."), said("Yes.")]],
    ["a thought after space", "\n<think>Hm.</think>Yes.", false, [thought("Hm."), said("Yes.")]],
    ["a thought that began in the prompt", "Hm.</think>Yes.", true, [thought("Hm."), said("Yes.")]],
    ["a thought that does not end", "<think>Hm. </thi", false, [thought("Hm. </thi")]],
    ["an empty thought", "<think></think>Yes.", false, [said("Yes.")]],
    ["an answer without a thought", " Yes.", false, [said(" Yes.")]],
    ["the beginning of a tag that is none", "<thin", false, [said("<thin")]],
    ["a tag further on, which is text", "See <think>x</think>.", false, [said("See <think>x</think>.")]],
    ["nothing", "", false, []],
  ];

  it.each(cases)("reads %s", (_, text, isThinking, pieces) => {
    for (let size = 1; size <= Math.max(1, text.length); size++) expect(read(text, size, isThinking)).toEqual(pieces);
  });
});

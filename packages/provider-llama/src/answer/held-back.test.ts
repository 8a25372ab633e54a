import { describe, expect, it } from "vitest";
import { heldBack } from "./held-back.ts";

describe("heldBack", () => {
  it.each([
    ["", ["ab"], 0],
    ["xa", ["ab"], 1],
    ["xab", ["ab"], 0],
    ["x<", ["<end>", "<b>"], 1],
    ["x<en", ["<end>", "<b>"], 3],
    ["aaa", ["aab"], 2],
    ["abc", [], 0],
  ])("of %j with the marks %j is %i", (text, marks, length) => {
    expect(heldBack(text, marks)).toBe(length);
  });
});

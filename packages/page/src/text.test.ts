import { describe, expect, it } from "vitest";
import { visible } from "./text.ts";

describe("visible", () => {
  it.each([
    ["an escape sequence", "\u001b[2Jgone", "\\u001b[2Jgone"],
    ["a carriage return", "a\rb", "a\\u000db"],
    ["a C1 control character", "\u009b2J", "\\u009b2J"],
    ["a turned reading direction", "a\u202eb", "a\\u202eb"],
    ["a zero-width space and a byte order mark", "a\u200bb\ufeffc", "a\\u200bb\\ufeffc"],
    ["a line separator", "a\u2028b", "a\\u2028b"],
    ["line feeds, tabs and emoji", "a\n\tb 👩‍👩‍👧 é", "a\n\tb 👩‍👩‍👧 é"],
  ])("shows %s without obeying it", (_, text, shown) => {
    expect(visible(text)).toBe(shown);
  });
});

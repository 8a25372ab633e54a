import { describe, expect, it } from "vitest";
import { tokenize } from "./tokens.ts";

describe("tokenize", () => {
  it("cuts text into pieces of words, signs and white space", () => {
    expect(tokenize("Read it.\n\n<execute> internationally")).toEqual([
      "Read",
      " it",
      ".",
      "\n",
      "\n",
      "<",
      "execute",
      ">",
      " internat",
      "ionally",
    ]);
  });

  it.each(["", " ", "a  b\t\r\nc", "漢字かな 😀👩‍👩‍👧 é e\u0301", "\ud83d alone \ude00", "a`b``c```"])(
    "loses nothing of %j",
    (text) => {
      expect(tokenize(text).join("")).toBe(text);
      expect(tokenize(text)).not.toContain("");
    },
  );
});

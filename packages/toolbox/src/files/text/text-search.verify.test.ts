import { describe, expect, it } from "vitest";
import { replaceMatches } from "../edit/replace-matches.ts";
import { compileReplacement } from "../edit/replacement.ts";
import { compileSearch } from "./text-search.ts";

describe("replaceMatches", () => {
  const replace = (text: string, find: string, template: string, most = 10_000) => {
    const search = compileSearch({ text: find, regex: true });
    return replaceMatches(text, search, compileReplacement(template, search), most);
  };

  it("stops an expression that reads the rest of the text for every match", () => {
    expect(() => replace("a".repeat(200_000), "(?s)a.*b|a", "c", 1_000_000)).toThrowError(
      expect.objectContaining({ code: "expression_invalid", message: expect.stringContaining("takes too long") }),
    );
  });
});

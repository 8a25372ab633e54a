import { searchWords } from "@cogency/storage/adapter";
import { describe, expect, it } from "vitest";
import { markWords } from "./mark-words.ts";

describe("markWords", () => {
  it.each([
    ["beach", "The Beaches, beach-house", "The [Beaches], [beach]-house"],
    ["cafe", "Ein Café", "Ein [Café]"],
    ["a", "a an A", "[a] an [A]"],
    ["house 42", "house 421 and 42", "[house] 421 and [42]"],
    ["日本", "これは日本語です", "これは[日本]語です"],
    ["nothing", "something", "something"],
  ])("marks what %j finds", (search, line, marked) => {
    expect(markWords(line, searchWords(search), (word) => `[${word}]`)).toBe(marked);
  });
});

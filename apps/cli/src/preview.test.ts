import type { JsonObject } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { fakeStream } from "../test/fake-stream.ts";
import { preview } from "./preview.ts";

const stream = fakeStream({ columns: 60 });
const lines = (name: string, args: JsonObject) => preview({ name, args }, stream);

describe("what a person sees of a call before it runs", () => {
  it("is its arguments, long ones by their beginnings", () => {
    const content = Array.from({ length: 40 }, (_, index) => `line ${index}`).join("\n");
    const shown = lines("write", { file: "a.txt", content });
    expect(shown.slice(0, 3)).toEqual(["file     a.txt", "content  line 0", "         line 1"]);
    expect(shown.at(-1)).toBe("         … 28 more lines");
  });

  it("is the old and the new of an edit", () => {
    const edits = [
      { old: "a\nb", new: "A\nb\n\nc" },
      { old: "x", new: "", all: true },
    ];
    expect(lines("edit", { file: "a.txt", edits })).toEqual([
      "file        a.txt",
      "everywhere  1 of the edits",
      ...["- a", "- b", "+ A", "+ b", "+ ", "+ c", "…", "- x"],
    ]);
  });

  it("is what replace takes out and puts in, and where", () => {
    expect(lines("replace", { find: "old", with: "new", pattern: "*.ts" })).toEqual([
      "pattern  *.ts",
      "- old",
      "+ new",
    ]);
  });

  it("is no more than about 60 lines of changes", () => {
    const edits = Array.from({ length: 50 }, (_, index) => ({ old: `a${index}`, new: `b${index}` }));
    expect(lines("edit", { file: "a", edits }).slice(-2)).toEqual(["…", "… 89 more lines"]);
  });

  it.each([
    ["shell", "command"],
    ["scrape", "url"],
  ])("is all of what %s is given, however long", (name, key) => {
    const value = `${"x".repeat(300)} --the-end`;
    const shown = lines(name, { [key]: value });
    expect(shown.map((line) => line.slice(key.length + 2)).join("")).toBe(value);
    expect(shown.every((line) => line.length <= 58)).toBe(true);
  });

  it.each([
    ["write", "content"],
    ["shell", "command"],
    ["edit", "edits"],
  ])("holds nothing that steers the terminal: %s", (name, key) => {
    const text = "\u001b[2J\r\u202egpj.\u200f";
    const shown = lines(name, { [key]: key === "edits" ? [{ old: text, new: text }] : text, [text]: text }).join("\n");
    expect(shown).toContain("\\u001b[2J\\u000d\\u202egpj.\\u200f");
    expect(shown).not.toMatch(/[^\P{Cc}\n]|[\u200f\u202e]/u);
  });

  it("is JSON where the arguments are of another kind", () => {
    expect(lines("edit", { edits: "all" })).toEqual(["edits  all"]);
    expect(lines("edit", { edits: [null] })).toEqual(["edits  [null]"]);
    expect(lines("replace", { find: 1, with: 2 })).toEqual(["find  1", "with  2"]);
    expect(lines("other", {})).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { textPage } from "./text-page.ts";

function pagesOf(text: string): string[] {
  const pages: string[] = [];
  for (let from: number | undefined = 0; from !== undefined; ) {
    const page = textPage(text, from, "");
    pages.push(page.text);
    from = page.next;
  }
  return pages;
}

describe("textPage", () => {
  it("returns a short text unchanged", () => {
    expect(textPage("short", 0, "")).toEqual({ text: "short" });
    expect(textPage("", 0, "")).toEqual({ text: "" });
  });

  it("returns the length of a text and where the next page begins", () => {
    expect(textPage("x".repeat(25_000), 0, "")).toMatchObject({ total: 25_000, next: 20_000 });
    expect(textPage("x".repeat(25_000), 20_000, "")).toEqual({ text: "x".repeat(5000), total: 25_000 });
  });

  it.each([
    ["lines", "a line of some words\n".repeat(5000)],
    ["one line", "x".repeat(90_000)],
    ["faces", "😀".repeat(30_000)],
    ["a letter and faces", `x${"😀".repeat(30_000)}`],
    ["three bytes a letter", "漢字かな\n".repeat(10_000)],
    ["a dense end", `${"x".repeat(15_000)}${"漢".repeat(15_000)}`],
  ])("returns all of a text of %s, in limited pages that cut no character", (_what, text) => {
    const pages = pagesOf(text);
    expect(pages.join("")).toBe(text);
    expect(pages.filter((page) => page.length > 20_000 || Buffer.byteLength(page) > 48_000)).toEqual([]);
    expect(pages.every((page) => page.isWellFormed())).toBe(true);
  });

  it("ends a page at a line's end", () => {
    expect(pagesOf("a line of some words\n".repeat(5000)).every((page) => page.endsWith("\n"))).toBe(true);
  });

  it("begins with the whole character when `from` is its second half", () => {
    expect(textPage("x😀y", 2, "")).toEqual({ text: "😀y", total: 4 });
  });

  it("refuses an offset beyond the end", () => {
    expect(() => textPage("short", 5, "")).toThrow(expect.objectContaining({ code: "offset_invalid" }));
  });
});

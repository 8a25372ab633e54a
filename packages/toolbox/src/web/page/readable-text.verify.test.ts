import { describe, expect, it } from "vitest";
import { readableText } from "./readable-text.ts";

const at = "https://example.com/docs/page";
const textOf = (html: string) => readableText(html, at).text;

describe("readableText", () => {
  it("refuses a page whose text grows beyond the limit with absolute links", () => {
    const html = `<base href="https://base.example/${"x".repeat(1900)}/">${"<a href=y>z</a> ".repeat(3000)}`;
    expect(() => textOf(html)).toThrow("more than 4000000 characters");
  });

  it("reads a page that nests exactly as deep as allowed", () => {
    expect(textOf(`${"<div>".repeat(256)}deep`)).toBe("deep");
  });
});

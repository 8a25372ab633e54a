import { describe, expect, it } from "vitest";
import { arrayLiteral, quoteIdentifier, quoteLiteral } from "./quote.ts";

describe("quoteIdentifier", () => {
  it.each([
    ["cogency", '"cogency"'],
    ['a"b', '"a""b"'],
    ["Größe; DROP", '"Größe; DROP"'],
  ])("writes %s as %s", (name, quoted) => {
    expect(quoteIdentifier(name)).toBe(quoted);
  });

  it.each([["", "x".repeat(64), "ü".repeat(32), "a\0b"]].flat())("refuses %j", (name) => {
    expect(() => quoteIdentifier(name)).toThrow(RangeError);
  });
});

describe("quoteLiteral", () => {
  it("doubles quotes and backslashes", () => {
    expect(quoteLiteral("it's \\")).toBe("E'it''s \\\\'");
  });
});

describe("arrayLiteral", () => {
  it("keeps every text unchanged", () => {
    expect(arrayLiteral(['{"a":"b\\n"}', "", "null", "x, y"])).toBe('{"{\\"a\\":\\"b\\\\n\\"}","","null","x, y"}');
  });

  it("is empty for no texts", () => {
    expect(arrayLiteral([])).toBe("{}");
  });
});

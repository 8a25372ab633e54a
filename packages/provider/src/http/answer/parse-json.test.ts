import { describe, expect, it } from "vitest";
import { completeLimits, type Limits } from "../limits.ts";
import { parseJSON } from "./parse-json.ts";

const parse = (text: string, limits?: Limits) => parseJSON(text, "acme.test", completeLimits(limits));
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

describe("parseJSON", () => {
  it.each([nested(500), `${nested(500)} `, `{"a":${nested(499)}}`, JSON.stringify({ a: "[".repeat(5_000) })])(
    "reads what is nested as deep as may be",
    (text) => {
      expect(parse(text)).toEqual(JSON.parse(text));
    },
  );

  it.each([
    nested(501),
    nested(1_000_000),
    `{"a":${nested(500)}}`,
    '{"a":'.repeat(501) + 1 + "}".repeat(501),
    `["\\"[",${nested(500)}]`,
    // Not JSON either, but that would be known too late.
    "[".repeat(2_000_000),
  ])("refuses JSON that is nested deeper", (text) => {
    expect(() => parse(text)).toThrow("`limits.depth`");
  });

  it("does not count brackets inside strings, even after escaped quotes", () => {
    const text = JSON.stringify({ a: '\\"[{'.repeat(1_000), b: '[]"' });
    expect(parse(text, { depth: 2 })).toEqual(JSON.parse(text));
  });

  it.each(["{},", "[],", "0,", '"",', '{"a":0},'])(
    "refuses so many values that they outgrow their text: %s",
    (value) => {
      const text = `[${value.repeat(100_000)}0]`;
      expect(() => parse(text, { eventBytes: 1_000_000 })).toThrow("`limits.eventBytes`");
      expect(parse(text, { eventBytes: 10_000_000 })).toHaveLength(100_001);
    },
  );

  it("throws a SyntaxError for text that is not JSON", () => {
    expect(() => parse("{")).toThrow(SyntaxError);
  });
});

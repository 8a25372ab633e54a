import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { utf8Length } from "./utf8-length.ts";

describe("utf8Length", () => {
  it.each([
    ["", 0],
    ["abc", 3],
    ["é", 2],
    ["€", 3],
    ["\u{1F600}", 4],
    ["\uD83D", 3],
    ["\uDE00\uD83D", 6],
  ])("of %j is %d", (text, bytes) => {
    expect(utf8Length(text)).toBe(bytes);
  });

  it("equals the length that an encoder gives, for any text", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        fc.string({ unit: fc.constantFrom("\uD83D", "\uDE00", "a", "é") }),
        (a, b) => {
          expect(utf8Length(a + b)).toBe(new TextEncoder().encode(a + b).length);
        },
      ),
    );
  });
});

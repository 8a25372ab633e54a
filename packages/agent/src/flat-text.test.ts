import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FlatText, flat, randomId } from "./flat-text.ts";

describe("a flat text", () => {
  it("is the text that was given, piece by piece or at once", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.constantFrom("\0", "", "\ud83d", "\ude00")), { maxLength: 60 }),
        (pieces) => {
          const text = new FlatText();
          for (const [index, piece] of pieces.entries()) {
            text.add(piece);
            expect(text.toString()).toBe(pieces.slice(0, index + 1).join(""));
          }
          expect(flat(pieces.join(""))).toBe(pieces.join(""));
        },
      ),
    );
  });

  it("may be a random id", () => {
    const ids = Array.from({ length: 100 }, randomId);
    expect(new Set(ids).size).toBe(100);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});

import type { Piece } from "@cogency/protocol/parts";
import { describe, expect, it } from "vitest";
import { splitPieces } from "./split-pieces.ts";

const piece = (text: string, offset = 0): Piece => ({ type: "text", run: "r", seq: 1, unit: 1, offset, text });

function read(arrays: readonly string[]): Piece[] {
  return arrays.flatMap((array) => JSON.parse(array) as Piece[]);
}

describe("splitPieces", () => {
  it("puts pieces together as long as they fit, in order", () => {
    const pieces = Array.from({ length: 30 }, (_, index) => piece("x".repeat(100), index * 100));
    const arrays = splitPieces(pieces, 1_000);
    expect(read(arrays)).toEqual(pieces);
    expect(arrays.length).toBeLessThan(8);
    for (const array of arrays) expect(Buffer.byteLength(array)).toBeLessThanOrEqual(1_000);
  });

  it.each([
    ["plain", "the quick brown fox "],
    ["of four bytes", "👩‍👧"],
    ["that JSON escapes", '"\\\n\u0000\u001f\u2028'],
    ["with halves of surrogate pairs", "\ud83da\ude00\ud83d\ud83d\ude00"],
    ["of all kinds", 'é猫👩‍👧"\u0007\udc00\\'],
  ])("splits a long text %s between characters, each part within the limit", (_, text) => {
    const long = text.repeat(500);
    for (const most of [300, 301, 302, 303, 1_000]) {
      const arrays = splitPieces([piece(long, 7)], most);
      for (const array of arrays) expect(Buffer.byteLength(array)).toBeLessThanOrEqual(most);
      let open = "";
      for (const part of read(arrays)) {
        if (part.type !== "text") return expect.unreachable();
        expect(part.offset).toBe(7 + open.length);
        expect(/^[\udc00-\udfff]/.test(part.text) && /[\ud800-\udbff]$/.test(open)).toBe(false);
        open += part.text;
      }
      expect(open).toBe(long);
    }
  });

  it("keeps a piece without text, which has the name of a call", () => {
    const args: Piece = { type: "args", run: "r", seq: 0, unit: 2, offset: 0, text: "", call: "c", name: "__proto__" };
    expect(read(splitPieces([args], 500))).toEqual([args]);
  });

  it("leaves out progress that does not fit or is no JSON, and names that take most of the bytes", () => {
    const progress = (update: unknown) => ({ type: "progress", run: "r", seq: 1, call: "c", update }) as Piece;
    const circle: unknown[] = [];
    circle.push(circle);
    const wrong = [progress("x".repeat(500)), progress(1n), progress(circle), { ...piece("x"), run: "r".repeat(400) }];
    const none = { ...piece("x"), text: undefined } as unknown as Piece;
    expect(read(splitPieces([piece("a"), ...wrong, none, progress({ done: 0.5 })], 500))).toEqual([
      piece("a"),
      progress({ done: 0.5 }),
    ]);
  });
});

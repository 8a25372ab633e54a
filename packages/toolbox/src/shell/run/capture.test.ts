import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCapture } from "./capture.ts";

function capture(limit: number, ...chunks: (string | Uint8Array)[]) {
  const kept = createCapture(limit);
  for (const chunk of chunks) kept.add(typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk);
  return kept.read();
}

describe("createCapture", () => {
  it("returns all output within the limit, however it was split", () => {
    expect(capture(8, "12345678")).toEqual({ text: "12345678", omitted: 0 });
    expect(capture(8, "1", "2345", "", "678")).toEqual({ text: "12345678", omitted: 0 });
    expect(capture(8)).toEqual({ text: "", omitted: 0 });
  });

  it("keeps the beginning and the end, and counts the bytes between", () => {
    expect(capture(8, "abcd", "efghijk", "lmnop")).toEqual({ text: "abcd\n[… 8 bytes left out …]\nmnop", omitted: 8 });
  });

  it("cuts between characters", () => {
    expect(capture(8, "aé😀", "bbbb", "😀éz")).toEqual({ text: "aé\n[… 12 bytes left out …]\néz", omitted: 12 });
  });

  it("replaces bytes that are not UTF-8, and keeps a byte order mark", () => {
    expect(capture(8, Uint8Array.of(0x61, 0xff, 0x62)).text).toBe("a\ufffdb");
    expect(capture(8, "\ufeffa").text).toBe("\ufeffa");
    const { text, omitted } = capture(8, new Uint8Array(20).fill(0x80));
    expect(text).toBe(`${"\ufffd".repeat(4)}\n[… 15 bytes left out …]\n\ufffd`);
    expect(omitted).toBe(15);
  });

  it("keeps the beginning and the end for any chunks", () => {
    const chunks = fc.array(fc.string({ unit: "grapheme-ascii", maxLength: 30 }), { maxLength: 20 });
    fc.assert(
      fc.property(chunks, fc.integer({ min: 0, max: 40 }), (pieces, limit) => {
        const all = pieces.join("");
        const head = all.slice(0, Math.ceil(limit / 2));
        const omitted = Math.max(0, all.length - limit);
        const tail = all.slice(Math.max(head.length, all.length - Math.floor(limit / 2)));
        const text = omitted === 0 ? all : `${head}\n[… ${omitted} bytes left out …]\n${tail}`;
        expect(capture(limit, ...pieces)).toEqual({ text, omitted });
      }),
    );
  });

  it("keeps more than it shows, with the same beginning and end", () => {
    const chunks = fc.array(fc.string({ unit: "grapheme-ascii", maxLength: 40 }), { maxLength: 20 });
    const bytes = fc.integer({ min: 0, max: 60 });
    fc.assert(
      fc.property(chunks, bytes, bytes, (pieces, shown, more) => {
        const kept = createCapture(shown, shown + more);
        for (const piece of pieces) kept.add(new TextEncoder().encode(piece));
        const { cut, ...rest } = kept.read();
        expect(rest).toEqual(capture(shown, ...pieces));
        const { whole, start, end } = cut ?? {};
        const isCut = rest.omitted > 0 && more > 0;
        expect(whole).toBe(isCut ? capture(shown + more, ...pieces).text : undefined);
        if (isCut) expect(`${start}\n[… ${rest.omitted} bytes left out …]\n${end}`).toBe(rest.text);
      }),
    );
  });

  it("keeps all of it as its memory grows", () => {
    const line = "0123456789abcdef".repeat(1000);
    const lines = Array.from({ length: 60 }, () => line);
    const kept = createCapture(100, 2_000_000);
    for (const one of lines) kept.add(new TextEncoder().encode(one));
    expect(kept.read().cut?.whole === lines.join("")).toBe(true);
  });
});

import { open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { grounds } from "../../../test/grounds.ts";
import { type LinePage, largestPage, type PageRequest, piecesIn, readPage } from "./line-page.ts";

describe("readPage", () => {
  const ground = grounds();
  const { signal } = new AbortController();

  async function page(content: string | Uint8Array, request: Partial<PageRequest> = {}): Promise<LinePage> {
    const file = join(ground.root, "page.txt");
    await writeFile(file, content);
    const handle = await open(file);
    try {
      return await readPage(piecesIn(handle, signal), { from: 1, column: 1, lines: 2000, ...request });
    } finally {
      await handle.close();
    }
  }

  it.each<[content: string, request: Partial<PageRequest>, expected: object]>([
    ["", {}, { text: "", to: 0, total: 0 }],
    ["a", {}, { text: "a", to: 1, total: 1 }],
    ["a\n", {}, { text: "a\n", to: 1, total: 1 }],
    ["a\nb\nc", { lines: 2 }, { text: "a\nb\n", to: 2, total: 3, next: { line: 3 } }],
    ["a\nb\nc\n", { from: 2, lines: 1 }, { text: "b\n", to: 2, total: 3, next: { line: 3 } }],
    ["a\nb\nc\n", { from: 3 }, { text: "c\n", to: 3, total: 3 }],
    ["a\r\nb\r\n", { from: 2 }, { text: "b\r\n", to: 2, total: 2 }],
    ["\n\n\n", { from: 2, lines: 1 }, { text: "\n", to: 2, total: 3, next: { line: 3 } }],
    ["abc\ndef\n", { column: 3, lines: 1 }, { text: "c\n", to: 1, total: 2, next: { line: 2 } }],
    ["abc\ndef", { from: 2, column: 4 }, { text: "", to: 1, total: 2, next: { line: 2 } }],
    ["🐟b", { column: 2 }, { text: "b", to: 1, total: 1 }],
  ])("reads from %j, asked for %j, the page %j", async (content, request, expected) => {
    const { next: _, ...rest } = { next: undefined, ...expected };
    expect(await page(content, request)).toMatchObject({ kind: "page", ...rest });
  });

  it.each<[content: string, request: Partial<PageRequest>, kind: string]>([
    ["", { from: 2 }, "beyond_end"],
    ["", { column: 2 }, "beyond_end"],
    ["a\nb\n", { from: 3 }, "beyond_end"],
    ["a\nb\n", { from: 1, column: 3 }, "beyond_line"],
    ["a\nb", { from: 2, column: 3 }, "beyond_line"],
  ])("refuses for %j the page %j as %s", async (content, request, kind) => {
    expect(await page(content, request)).toMatchObject({ kind });
  });

  it("ends a full page with a whole line", async () => {
    const line = `${"ü".repeat(500)}\n`;
    const found = await page(line.repeat(100));
    expect(found).toEqual({
      kind: "page",
      text: line.repeat(65),
      to: 65,
      total: 100,
      next: { line: 66 },
    });
  });

  it("cuts a line that is too long for a page between two characters, and continues in it", async () => {
    const content = `a${"🐟".repeat(50_000)}\nend\n`;
    const parts: string[] = [];
    let request: Partial<PageRequest> | undefined = {};
    while (request !== undefined) {
      const found: LinePage = await page(content, request);
      if (found.kind !== "page") throw new Error(found.kind);
      expect(Buffer.byteLength(found.text)).toBeLessThanOrEqual(largestPage);
      expect(found.text.isWellFormed()).toBe(true);
      parts.push(found.text);
      request = found.next && { from: found.next.line, column: found.next.column ?? 1 };
    }
    expect(parts.join("")).toBe(content);
    expect(parts.length).toBe(4);
  });

  it("returns every text byte for byte, for pages of any size", async () => {
    const text = fc.string({ unit: fc.constantFrom("a", "\n", "\r\n", "ü", "🐟", "\ufeff"), maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 7 }), async (content, lines) => {
        let whole = "";
        let from: number | undefined = 1;
        while (from !== undefined) {
          const found: LinePage = await page(content, { from, lines });
          if (found.kind !== "page") throw new Error(found.kind);
          whole += found.text;
          from = found.next?.line;
        }
        expect(whole).toBe(content);
      }),
      { numRuns: 60 },
    );
  });

  it("reads a huge file in little memory and time, and says that its lines were not counted", async () => {
    const file = join(ground.root, "huge.txt");
    const handle = await open(file, "w+");
    try {
      const piece = Buffer.from(`${"x".repeat(1023)}\n`.repeat(1024));
      for (let mebibyte = 0; mebibyte < 70; mebibyte += 1) await handle.write(piece);
      const reading = await open(file);
      const found = await readPage(piecesIn(reading, signal), { from: 10, column: 1, lines: 2 });
      await reading.close();
      expect(found).toMatchObject({ kind: "page", to: 11, total: null, next: { line: 12 } });
    } finally {
      await handle.close();
    }
  });

  it("refuses binary data even after the page", async () => {
    expect(await page(`${"a\n".repeat(3000)}\0`)).toEqual({ kind: "not_text" });
    expect(await page(Uint8Array.of(97, 0xc3))).toEqual({ kind: "not_text" });
  });

  it("stops when its signal aborts", async () => {
    const file = join(ground.root, "config.json");
    const handle = await open(file);
    const reading = readPage(piecesIn(handle, AbortSignal.abort()), { from: 1, column: 1, lines: 1 });
    await expect(reading).rejects.toMatchObject({ name: "AbortError" });
    await handle.close();
  });
});

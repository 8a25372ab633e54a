import { countWork } from "@tooling/vitest/count-work";
import { describe, expect, it } from "vitest";
import { type KindOfText, kindsOfText, textOfKind } from "../../test/kinds-of-text.ts";
import { createParser } from "./parser.ts";
import { settle } from "./settle.ts";

/** Characters that are looked at, copied or written while a text of this kind is read and settled. */
function workFor(kind: KindOfText, length: number, chunk: number): number {
  const text = textOfKind(kind, length);
  const chunks: string[] = [];
  for (let at = 0; at < text.length; at += chunk) chunks.push(text.slice(at, at + chunk));
  return countWork(() => {
    const parser = createParser({ ...kind.options, clock: () => 1 });
    const events = chunks.flatMap((piece) => parser.write(piece));
    for (const _ of settle([...events, ...parser.end()]));
  });
}

/** For a busy machine; nothing here is measured by the clock. */
const timeout = 120_000;

/** The kinds that are read up to a million characters. */
const isLong = new Set([
  "prose",
  "less-than signs",
  "comparisons",
  "HTML tags",
  "closing tags",
  "one run of backticks",
  "fences of code",
  "quotes in a string",
]);

describe("P3: ten times the text is at most twelve times the work", () => {
  for (const [name, kind] of Object.entries(kindsOfText)) {
    it.each([
      ["in one write", Number.POSITIVE_INFINITY, isLong.has(name) ? [10_000, 100_000, 1_000_000] : [5_000, 50_000]],
      ["in writes of a hundred characters", 100, [4_000, 40_000]],
      ["in writes of one character", 1, [4_000, 40_000]],
    ])(
      `for ${name}, %s`,
      (_how, chunk, lengths) => {
        const works = lengths.map((length) => workFor(kind, length, chunk));
        for (const [index, work] of works.slice(1).entries()) expect(work / (works[index] as number)).toBeLessThan(12);
      },
      timeout,
    );
  }

  it("where work is counted: a search that begins again is seen", () => {
    const text = "<".repeat(10_000);
    const again = countWork(() => {
      for (let at = 0; at < text.length; at++) text.indexOf("`", at);
    });
    expect(again).toBeGreaterThan(10_000 ** 2 / 2);
    expect(countWork(() => text.indexOf("`"))).toBe(10_001);
  });
});

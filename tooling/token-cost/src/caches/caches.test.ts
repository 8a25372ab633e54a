import { describe, expect, it } from "vitest";
import type { Section } from "../servers/asked.ts";
import { automaticCache } from "./automatic-cache.ts";
import { markedCache } from "./marked-cache.ts";

/** A text of so many tokens, of which no other letter has the beginning. */
const text = (letter: string, tokens: number): Section => ({ kind: "user", text: letter.repeat(4 * tokens) });
const marked = (section: Section): Section => ({ ...section, isMarked: true });

describe("an automatic cache", () => {
  it("reads what a request has in common with an earlier one, in steps of 128 tokens", () => {
    const cache = automaticCache();
    expect(cache.read([text("a", 1000), text("b", 100)])).toEqual({ input: 1100, cached: 0, written: 0 });
    expect(cache.read([text("a", 1000), text("b", 100), text("c", 300)])).toEqual({
      input: 1400,
      cached: 1024,
      written: 0,
    });
    expect(cache.read([text("a", 1000), text("b", 100), text("c", 500)]).cached).toBe(1280);
  });

  it("reads nothing if less than 1,024 tokens are the same, or if the first one differs", () => {
    const cache = automaticCache();
    cache.read([text("a", 1023), text("b", 500)]);
    expect(cache.read([text("a", 1023), text("c", 500)]).cached).toBe(0);
    expect(cache.read([text("d", 1), text("a", 1023), text("b", 500)]).cached).toBe(0);
  });

  it("compares texts to the character within a section, and takes a result for another thing than a prompt", () => {
    const cache = automaticCache();
    cache.read([text("a", 1500)]);
    expect(cache.read([{ kind: "user", text: `${"a".repeat(4 * 1200)}${"b".repeat(1200)}` }]).cached).toBe(1152);
    expect(cache.read([{ ...text("a", 1500), kind: "result" }]).cached).toBe(0);
  });
});

describe("a cache with marks", () => {
  it("writes up to the last mark, and reads up to the mark of an earlier request", () => {
    const cache = markedCache();
    expect(cache.read([marked(text("a", 1100)), marked(text("b", 50)), text("c", 9)])).toEqual({
      input: 1159,
      cached: 0,
      written: 1150,
    });
    const next = [marked(text("a", 1100)), marked(text("b", 50)), text("c", 9), marked(text("d", 41))];
    expect(cache.read(next)).toEqual({ input: 1200, cached: 1150, written: 50 });
    expect(cache.read(next)).toEqual({ input: 1200, cached: 1200, written: 0 });
  });

  it("keeps nothing that has less than 1,024 tokens, or no mark", () => {
    const cache = markedCache();
    expect(cache.read([marked(text("a", 1023)), text("b", 100)])).toEqual({ input: 1123, cached: 0, written: 0 });
    expect(cache.read([marked(text("a", 1023)), text("b", 100)]).cached).toBe(0);
  });

  it("finds an earlier mark 20 blocks before its own, and no farther", () => {
    const blocks = (count: number) => Array.from({ length: count }, () => text("x", 1));
    const cache = markedCache();
    cache.read([marked(text("a", 2000))]);
    expect(cache.read([text("a", 2000), ...blocks(19), marked(text("b", 1))]).cached).toBe(2000);
    expect(cache.read([text("a", 2000), ...blocks(20), marked(text("c", 1))]).cached).toBe(0);
  });

  it("refuses a fifth mark", () => {
    expect(() => markedCache().read(Array.from({ length: 5 }, () => marked(text("a", 1))))).toThrow(/5 cache marks/);
  });
});

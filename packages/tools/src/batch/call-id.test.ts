import { describe, expect, it } from "vitest";
import { mintCallId } from "./call-id.ts";

describe("mintCallId", () => {
  it("gives ids that are short, well formed and never the same", () => {
    const ids = Array.from({ length: 10_000 }, mintCallId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^call_[A-Za-z0-9]{20}$/);
  });

  it("uses every letter and digit about equally often", () => {
    const counts = new Map<string, number>();
    for (const character of Array.from({ length: 5_000 }, () => mintCallId().slice(5)).join("")) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    expect(counts.size).toBe(62);
    // 100,000 draws: 1613 each on average, with a standard deviation of 40.
    for (const count of counts.values()) expect(Math.abs(count - 1613)).toBeLessThan(320);
  });
});

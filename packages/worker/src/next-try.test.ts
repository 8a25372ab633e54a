import { describe, expect, it } from "vitest";
import { boundOf, delayOf, longestAsked, longestBound } from "./next-try.ts";

const day = 86_400_000;

describe("the time until the next try", () => {
  it("grows with each try, to five minutes", () => {
    const delays = Array.from({ length: 20 }, (_, tries) => delayOf(tries, undefined, 1));
    expect(delays.slice(0, 4)).toEqual([1000, 2000, 4000, 8000]);
    expect(delays.at(-1)).toBe(300_000);
    expect(longestBound).toBe(300_000);
  });

  it("is not the same for all, and never shorter than three quarters", () => {
    expect([delayOf(3, undefined, 0), delayOf(3, undefined, 1)]).toEqual([6000, 8000]);
    const several = new Set(Array.from({ length: 20 }, () => delayOf(5)));
    expect(several.size).toBeGreaterThan(1);
  });

  it.each([0, -1, -day, Number.NaN, Number.NEGATIVE_INFINITY, 1e-9])(
    "has its own lower bound where a server asks for %d ms",
    (asked) => {
      for (let tries = 0; tries < 12; tries++) {
        for (const random of [0, 0.5, 1]) {
          expect(delayOf(tries, asked, random)).toBeGreaterThanOrEqual(boundOf(tries) * 0.75);
        }
      }
    },
  );

  it.each([2 * day, Number.MAX_VALUE, Number.POSITIVE_INFINITY])(
    "is an hour or little more where a server asks for %d ms",
    (asked) => {
      expect(delayOf(0, asked, 0)).toBe(longestAsked);
      expect(delayOf(0, asked, 1)).toBeLessThanOrEqual(longestAsked * 1.1);
    },
  );

  it("is never shorter than the server asks", () => {
    expect(delayOf(0, 30_000, 0)).toBe(30_000);
    expect(delayOf(0, 30_000, 1)).toBe(33_000);
  });
});

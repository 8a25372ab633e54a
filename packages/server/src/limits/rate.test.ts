import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Rate } from "./rate.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a rate", () => {
  it("lets each user in as often as it may at once, and then one by one, and says how long to wait", () => {
    const rate = new Rate(3, 60_000);
    const uses = (user: string | undefined, count: number) => Array.from({ length: count }, () => rate.use(user));
    expect(uses("ada", 5)).toEqual([0, 0, 0, 20_000, 20_000]);
    expect(uses("bob", 1)).toEqual([0]);
    expect(uses(undefined, 1)).toEqual([0]);
    vi.advanceTimersByTime(19_000);
    expect(uses("ada", 1)).toEqual([1000]);
    vi.advanceTimersByTime(1000);
    expect(uses("ada", 2)).toEqual([0, 20_000]);
    vi.advanceTimersByTime(60_000);
    expect(uses("ada", 4)).toEqual([0, 0, 0, 20_000]);
  });

  it("lets a user in as often as it says also where the numbers are not round", () => {
    for (const limit of [7, 30, 600, 977]) {
      vi.advanceTimersByTime(123_456_789.123);
      const rate = new Rate(limit, 60_000);
      const uses = Array.from({ length: limit + 1 }, () => rate.use("ada"));
      expect(uses.findIndex((delay) => delay > 0)).toBe(limit);
    }
  });

  it("remembers no user longer than a window, and of too many those who were seen last", () => {
    const rate = new Rate(1, 60_000, 100);
    for (let user = 0; user < 1000; user++) rate.use(`${user}`);
    expect(rate.users).toBe(100);
    expect(rate.use("900")).toBeGreaterThan(0);
    rate.use("new");
    // Seen a moment ago, though it was refused.
    expect(rate.use("900")).toBeGreaterThan(0);
    expect(rate.use("901")).toBe(0);
    vi.advanceTimersByTime(60_000);
    rate.use("newest");
    expect(rate.users).toBe(1);
  });

  it("without a limit remembers no user", () => {
    const rate = new Rate(Number.POSITIVE_INFINITY, 60_000);
    for (let use = 0; use < 1000; use++) expect(rate.use("ada")).toBe(0);
    expect(rate.users).toBe(0);
  });
});

import { describe, expect, it, vi } from "vitest";
import { inTime } from "./in-time.ts";
import { settlesWithin } from "./settles-within.ts";
import { startTimer } from "./start-timer.ts";

const never = new Promise<never>(() => {});

describe("settlesWithin", () => {
  it("is true for a promise that resolves or rejects in time, and false for another", async () => {
    expect(await settlesWithin(Promise.resolve(), 1000)).toBe(true);
    expect(await settlesWithin(Promise.reject(new Error("no")), 1000)).toBe(true);
    expect(await settlesWithin(never, 1)).toBe(false);
  });
});

describe("inTime", () => {
  it("ends as the promise does", async () => {
    expect(await inTime(Promise.resolve(1), 1000, () => new Error("late"))).toBe(1);
    await expect(inTime(Promise.reject(new Error("no")), 1000, () => new Error("late"))).rejects.toThrow("no");
  });

  it("rejects with the error of its caller when the time is over", async () => {
    await expect(inTime(never, 1, () => new Error("no answer for 1 ms"))).rejects.toThrow("no answer for 1 ms");
  });

  it.each([2 ** 31, Number.POSITIVE_INFINITY])("sets no timer that would fire at once: %d ms", async (milliseconds) => {
    const later = () => new Promise((resolve) => setTimeout(() => resolve("done"), 5));
    expect(await inTime(later(), milliseconds, () => new Error("late"))).toBe("done");
    expect(await settlesWithin(later(), milliseconds)).toBe(true);
  });
});

describe("startTimer", () => {
  it("expires once, starts again when refreshed, and never expires when stopped or longer than a timer can be", () => {
    vi.useFakeTimers();
    try {
      const expired: string[] = [];
      const refreshed = startTimer(10, () => expired.push("refreshed"));
      startTimer(10, () => expired.push("stopped")).stop();
      startTimer(2 ** 31, () => expired.push("endless"));
      vi.advanceTimersByTime(9);
      refreshed.refresh();
      vi.advanceTimersByTime(9);
      expect(expired).toEqual([]);
      vi.advanceTimersByTime(100);
      expect(expired).toEqual(["refreshed"]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("does not keep the process alive", () => {
    const set = vi.spyOn(globalThis, "setTimeout");
    startTimer(60_000, () => {}).stop();
    const timer = set.mock.results[0]?.value as NodeJS.Timeout;
    set.mockRestore();
    expect(timer.hasRef()).toBe(false);
  });
});

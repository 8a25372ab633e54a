import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { compare } from "./compare.ts";

describe("compare", () => {
  beforeEach(() => void vi.spyOn(console, "log").mockImplementation(() => {}));
  afterEach(() => void vi.restoreAllMocks());

  /** Uses CPU in proportion to `amount` instead of for a fixed time, so a busy machine changes nothing. */
  function work(amount: number): number {
    let sum = 0;
    for (let i = 0; i < amount * 3_000_000; i++) sum = (sum * 31 + i) | 0;
    return sum;
  }

  it("runs the contenders in turn, after the warm-up as often as asked", async () => {
    const order: string[] = [];
    await compare("order", { rounds: 5, warmup: 1 }, [
      { name: "a", run: () => [order.push("a"), work(10)] },
      { name: "b", run: async () => [order.push("b"), work(10)] },
    ]);
    const turns = order.join("").replace(/(.)\1+/g, "$1");
    expect(turns).toBe("ab".repeat(6));
  });

  it("gives medians, ranges, ratios to the floor and rates", async () => {
    const [less, more] = await compare("work", {}, [
      { name: "less", floor: true, bytes: 1_000_000, run: () => work(1) },
      { name: "more", operations: 10, run: () => work(10) },
    ]);
    if (!less || !more) throw new Error("Two contenders give two measurements.");
    expect(less.ratio).toBe(1);
    expect(more.ratio).toBeGreaterThan(2);
    expect(less.min).toBeLessThanOrEqual(less.median);
    expect(less.median).toBeLessThanOrEqual(less.max);
    expect(less.rate).toEqual({ value: expect.closeTo(1000 / less.median), unit: "MB/s" });
    expect(more.rate).toEqual({ value: expect.closeTo(10_000 / more.median), unit: "operations/s" });
  });

  it("prints the table", async () => {
    await compare("printed", {}, [{ name: "only", run: () => work(1) }]);
    expect(console.log).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/^printed\n.*CPU median.*\n {2}only /));
  });

  it("refuses fewer rounds than a median needs", async () => {
    await expect(compare("few", { rounds: 4 }, [])).rejects.toThrow("at least 5");
  });
});

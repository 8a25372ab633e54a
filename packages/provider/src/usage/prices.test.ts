import { describe, expect, it } from "vitest";
import { costOf, type Prices, priceOf } from "./prices.ts";
import { zeroUsage } from "./usage.ts";

describe("priceOf", () => {
  const prices: Prices = {
    "acme-5": { input: 1, output: 10 },
    "acme-5-mini": { input: 0.1, output: 1 },
    "acme-5-2026-01-31": { input: 2, output: 20 },
    "acme-5:free": { input: 0, output: 0 },
  };

  const cases: [string, number | undefined][] = [
    ["acme-5", 1],
    ["acme-5-mini", 0.1],
    ["acme-5-2026-01-31", 2],
    ["acme-5-2026-04-24", 1],
    ["acme-5-20260424", 1],
    ["acme-5@20260424", 1],
    ["acme-5-0613", 1],
    ["acme-5-001", 1],
    ["acme-5-latest", 1],
    ["acme-5-mini-2026-04-24", 0.1],
    ["acme-5:free", 0],
    ["acme-5-nano", undefined],
    ["acme-5-1", undefined],
    ["acme-5-32k", undefined],
    ["acme-5-pro-2026-04-24", undefined],
    ["acme-5.1", undefined],
    ["acme-5:batch", undefined],
    ["vendor/acme-5", undefined],
    ["acme", undefined],
    ["", undefined],
    ["constructor", undefined],
    ["__proto__", undefined],
  ];
  it.each(cases)("%s costs %s per million tokens of input", (model, input) => {
    expect(priceOf(prices, model)?.input).toBe(input);
  });
});

describe("costOf", () => {
  const usage = { input: 1_000, output: 200, cacheRead: 3_000, cacheWrite: 500, reasoning: 150 };

  it("adds up the disjoint parts, each at its price, and reasoning as the part of the output that it is", () => {
    const cost = costOf(usage, { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 });
    expect(cost).toBeCloseTo(0.003 + 0.003 + 0.0009 + 0.001875, 12);
  });

  it("uses the price of input for cached tokens without a price of their own", () => {
    expect(costOf(usage, { input: 3, output: 15 })).toBeCloseTo(0.0135 + 0.003, 12);
    expect(costOf(usage, { input: 3, output: 15, cacheRead: undefined, cacheWrite: 0 })).toBeCloseTo(0.012 + 0.003, 12);
  });

  it("is 0 for no usage and for a free model", () => {
    expect(costOf(zeroUsage, { input: 3, output: 15 })).toBe(0);
    expect(costOf(usage, { input: 0, output: 0 })).toBe(0);
  });

  it.each([
    { input: -1, output: 1 },
    { input: 1, output: Number.NaN },
    { input: 1, output: 1, cacheRead: Number.POSITIVE_INFINITY },
  ])("refuses the price %j", (price) => {
    expect(() => costOf(usage, price)).toThrow(RangeError);
  });
});

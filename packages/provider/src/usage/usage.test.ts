import { describe, expect, it } from "vitest";
import { sumUsage, zeroUsage } from "./usage.ts";

describe("sumUsage", () => {
  const one = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, reasoning: 5 };

  it("adds field by field and leaves its parts alone", () => {
    expect(sumUsage(one, one)).toEqual({ input: 2, output: 4, cacheRead: 6, cacheWrite: 8, reasoning: 10 });
    expect(one.input).toBe(1);
  });

  it("is zero without parts", () => {
    expect(sumUsage()).toEqual(zeroUsage);
  });

  it("is estimated if one part is", () => {
    expect(sumUsage(one, { ...one, estimated: true }).estimated).toBe(true);
    expect(sumUsage(one, one)).not.toHaveProperty("estimated");
  });
});

import { describe, expect, it } from "vitest";
import { ProviderError, type ProviderErrorOptions } from "../errors.ts";
import { type RetryPolicy, toDecide } from "./retry-policy.ts";

describe("a retry policy", () => {
  const delays: { policy: RetryPolicy; errors: ProviderErrorOptions[]; expected: number[] }[] = [
    { policy: { random: () => 0 }, errors: [{}, {}, {}, {}, {}, {}], expected: [250, 500, 1000, 2000, 4000, 4000] },
    { policy: { random: () => 0.5 }, errors: [{}, {}, {}, {}, {}], expected: [375, 750, 1500, 3000, 6000] },
    { policy: { random: () => 0, maxDelay: 300 }, errors: [{}, {}], expected: [150, 150] },
    { policy: { baseDelay: 0 }, errors: [{}, {}], expected: [0, 0] },
    { policy: {}, errors: [{ retryAfter: 20 }, { retryAfter: 0.25 }, { retryAfter: 0 }], expected: [20_000, 250, 0] },
    { policy: {}, errors: [{ retryAfter: 60 }, { retryAfter: 0.0101 }], expected: [60_000, 11] },
    { policy: { maxRetryAfter: 1_000 }, errors: [{ retryAfter: 1 }], expected: [1_000] },
  ];
  it.each(delays)("%# waits $expected ms", ({ policy, errors, expected }) => {
    const decide = toDecide({ attempts: 10, ...policy });
    expect(errors.map((options, index) => decide(limit(options), index + 1).delay)).toEqual(expected);
  });

  it("by default jitters between half of the delay and the whole of it", () => {
    const delays = Array.from({ length: 1000 }, () => toDecide({})(limit(), 1).delay);
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(250);
    expect(Math.max(...delays)).toBeLessThanOrEqual(500);
    expect(new Set(delays).size).toBeGreaterThan(50);
  });

  const refused: RetryPolicy[] = [
    { attempts: 0 },
    { attempts: 1.5 },
    { baseDelay: -1 },
    { baseDelay: Number.NaN },
    { maxDelay: -1 },
    { maxRetryAfter: Number.NaN },
  ];
  it.each(refused)("refuses the policy %o at once", (policy) => {
    expect(() => toDecide(policy)).toThrow(RangeError);
  });
});

function limit(options: ProviderErrorOptions = {}): ProviderError {
  return new ProviderError("rate_limit", "Too many requests.", options);
}

import { describe, expect, it } from "vitest";
import { median, ratioOf } from "./measurement.ts";

describe("median", () => {
  it.each([
    { values: [3, 1, 2], middle: 2 },
    { values: [4, 1, 3, 2], middle: 2.5 },
    { values: [10, 9, 100], middle: 10 },
    { values: [], middle: Number.NaN },
  ])("of $values is $middle", ({ values, middle }) => {
    expect(median(values)).toBe(middle);
  });
});

describe("ratioOf", () => {
  it("compares round by round, so that a slow phase of the machine changes nothing", () => {
    expect(ratioOf({ times: [2, 2, 20, 20, 20] }, { times: [1, 1, 10, 10, 10] })).toBe(2);
    expect(ratioOf({ times: [2, 2, 2, 20, 20] }, { times: [1, 1, 10, 10, 10] })).toBe(2);
  });
});

import { describe, expect, it } from "vitest";
import { createStepSize } from "./step-size.ts";

describe("createStepSize", () => {
  it("lowers the amount after a slow step and raises it after a quick one, within bounds", () => {
    const stepSize = createStepSize(20, { first: 40, most: 100 });
    expect(stepSize.amount()).toBe(40);
    stepSize.took(40);
    expect(stepSize.amount()).toBe(20);
    stepSize.took(10_000);
    expect(stepSize.amount()).toBe(5);
    for (let pieces = 0; pieces < 10; pieces++) stepSize.took(10_000);
    expect(stepSize.amount()).toBe(1);
    for (let pieces = 0; pieces < 10; pieces++) stepSize.took(0);
    expect(stepSize.amount()).toBe(100);
  });
});

import { timeRatio } from "@tooling/vitest/time-ratio";
import { expect, it } from "vitest";
import { FlatText } from "./flat-text.ts";

it("a flat text takes time in proportion to its length, also if it grows by single characters", () => {
  const grow = (length: number) => {
    const text = new FlatText();
    for (let nth = 0; nth < length; nth++) text.add("x");
    expect(text.toString()).toHaveLength(length);
  };
  expect(
    timeRatio(
      () => grow(100_000),
      () => grow(1_000_000),
    ),
  ).toBeLessThan(40);
});

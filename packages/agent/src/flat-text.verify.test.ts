import { timeRatio } from "@tooling/vitest/time-ratio";
import { expect, it } from "vitest";
import { FlatText } from "./flat-text.ts";

it("a flat text takes time in proportion to its length, also if it grows by single characters", () => {
  const grow = (length: number) => {
    const text = new FlatText();
    for (let nth = 0; nth < length; nth++) text.add("x");
    expect(text.toString()).toHaveLength(length);
  };
  // Beyond that V8 gives each text pages of its own, and a machine whose memory is short takes long to find them.
  expect(
    timeRatio(
      () => grow(10_000),
      () => grow(100_000),
    ),
  ).toBeLessThan(40);
});

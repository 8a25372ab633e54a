import { describe, expect, it } from "vitest";
import { type Target, targetLine } from "./target.ts";

describe("targetLine", () => {
  it.each<[Target, string]>([
    [{ what: "append", value: 80, unit: "%", least: 80 }, "met      append: 80.0 % (at least 80 %)"],
    [{ what: "append", value: 79.94, unit: "%", least: 80 }, "NOT MET  append: 79.9 % (at least 80 %)"],
    [{ what: "load", value: 1.5, unit: "×", most: 1.5 }, "met      load: 1.50× (at most 1.5×)"],
    [{ what: "open", value: 51, unit: "ms", most: 50 }, "NOT MET  open: 51.0 ms (at most 50 ms)"],
    [{ what: "open", value: Number.NaN, unit: "ms", most: 50 }, "NOT MET  open: NaN ms (at most 50 ms)"],
  ])("says of %j whether it is met", (target, line) => {
    expect(targetLine(target)).toBe(line);
  });
});

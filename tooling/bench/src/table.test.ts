import { describe, expect, it } from "vitest";
import { table } from "./table.ts";

describe("table", () => {
  it("aligns measurements", () => {
    const text = table("read 5 MB", [
      { name: "split", median: 2, min: 1.5, max: 12.25, ratio: 1, rate: { value: 2500, unit: "MB/s" } },
      { name: "parser", median: 10, min: 9, max: 11, ratio: undefined, rate: { value: 1234567, unit: "operations/s" } },
    ]);
    expect(text.split("\n")).toEqual([
      "read 5 MB",
      "          CPU median      min       max  floor                    rate",
      "  split      2.00 ms  1.50 ms  12.25 ms  1.00×              2,500 MB/s",
      "  parser    10.00 ms  9.00 ms  11.00 ms         1,230,000 operations/s",
      "",
    ]);
  });
});

import { describe, expect, it } from "vitest";
import { completeTimeouts } from "./timeouts.ts";

describe("timeouts", () => {
  it("have defaults that let a local model think for ten minutes", () => {
    const defaults = { connect: 10_000, firstByte: 600_000, idle: 300_000, total: Number.POSITIVE_INFINITY };
    expect(completeTimeouts()).toEqual(defaults);
    expect(completeTimeouts({ idle: 5, total: undefined })).toEqual({ ...defaults, idle: 5 });
  });

  it.each([0, -1, Number.NaN, Number.NEGATIVE_INFINITY])("refuse %d", (limit) => {
    for (const name of ["connect", "firstByte", "idle", "total"]) {
      expect(() => completeTimeouts({ [name]: limit })).toThrow(new RegExp(`\`${name}\` is ${limit}`));
      expect(() => completeTimeouts({ [name]: limit })).toThrow(RangeError);
    }
  });
});

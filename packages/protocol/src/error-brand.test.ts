import { describe, expect, it } from "vitest";
import { brandErrors, hasErrorBrand } from "./error-brand.ts";

/** What a copy of a package declares. */
function copy() {
  class LampError extends Error {
    static {
      brandErrors(LampError, "test.LampError");
    }
  }
  class BrokenLampError extends LampError {
    static {
      brandErrors(BrokenLampError, "test.BrokenLampError");
    }
  }
  return { LampError, BrokenLampError };
}

describe("an error with a brand", () => {
  it("is recognized by its class and its superclass in another copy", () => {
    const error = new (copy().BrokenLampError)("dark");
    expect(error).not.toBeInstanceOf(copy().LampError);
    expect(hasErrorBrand(error, "test.LampError")).toBe(true);
    expect(hasErrorBrand(error, "test.BrokenLampError")).toBe(true);
    expect(hasErrorBrand(new (copy().LampError)("dim"), "test.BrokenLampError")).toBe(false);
  });

  it.each([[new Error("dark")], [{ name: "LampError" }], ["LampError"], [null], [undefined]])(
    "is not taken for one: %s",
    (value) => expect(hasErrorBrand(value, "test.LampError")).toBe(false),
  );

  it("is printed and compared without its brand", () => {
    const { LampError } = copy();
    expect(Reflect.ownKeys(new LampError("dark"))).toEqual(["stack", "message"]);
  });
});

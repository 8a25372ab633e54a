import { describe, expect, it } from "vitest";
import type { Validate } from "./problem.ts";

interface Bodies {
  good: readonly unknown[];
  /** What each holds that the server refuses, and words of the refusal. */
  bad: readonly (readonly [holds: string, body: unknown, problem: string])[];
}

/** Proves a validator: it accepts the good bodies, and refuses each bad one for its own reason. */
export function describeValidator(wire: string, validate: Validate, { good, bad }: Bodies): void {
  describe(`the validator of ${wire}`, () => {
    it("accepts good requests", () => {
      for (const body of good) expect(validate(body), JSON.stringify(body)).toBeUndefined();
    });

    it.each(bad)("refuses a request with %s", (_, body, problem) => {
      expect(validate(body)).toContain(problem);
    });
  });
}

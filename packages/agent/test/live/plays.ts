import * as fc from "fast-check";
import type { Play, Step } from "./play.ts";

const text = fc
  .array(fc.constantFrom("a", "b ", "cd", "é", "😀", " and", "\n\n", "x".repeat(30)), { minLength: 1, maxLength: 12 })
  .map((pieces) => pieces.join(""));

const step: fc.Arbitrary<Step> = fc.record({
  units: fc.array(fc.record({ isThought: fc.boolean(), text }), { minLength: 1, maxLength: 4 }),
  calls: fc.array(fc.record({ text: fc.constantFrom("p", "q".repeat(40)), updates: fc.integer({ min: 0, max: 3 }) }), {
    maxLength: 3,
  }),
  breaksAfter: fc.option(fc.integer({ min: 0, max: 60 }), { freq: 8, nil: undefined }),
});

/** Plays in which anything may come at any time. */
export const plays: fc.Arbitrary<Play> = fc.record({
  driver: fc.constantFrom("json", "xml", "native"),
  steps: fc.array(step, { minLength: 1, maxLength: 3 }),
  chunks: fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 5 }),
  pauses: fc.array(
    fc.oneof(
      { weight: 30, arbitrary: fc.constantFrom(-1, -1, -1, 0, 0, 1) },
      { weight: 1, arbitrary: fc.constantFrom(5, 40) },
    ),
    { minLength: 20, maxLength: 60 },
  ),
  joins: fc.array(fc.integer({ min: 0, max: 80 }), { minLength: 1, maxLength: 8 }),
  cancelsAfter: fc.option(fc.integer({ min: 0, max: 60 }), { freq: 5, nil: undefined }),
  earlyStart: fc.boolean(),
});

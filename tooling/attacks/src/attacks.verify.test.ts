import { describe, expect, it } from "vitest";
import { classes } from "./classes.ts";
import { createRandom } from "./harness/random.ts";
import { lineOf, runAttack } from "./harness/run-attacks.ts";

/** The test runs a part of the attacks, always the same. `pnpm soak` runs all, with new inputs each time. */
const seed = 2026;

describe.each(classes)("$name", ({ attacks, slice }) => {
  it("is held", async () => {
    const random = createRandom(seed);
    const all = random.shuffled(attacks(random));
    const chosen = [
      ...all.filter(({ isDear }) => !isDear).slice(0, slice.cheap),
      ...all.filter(({ isDear }) => isDear).slice(0, slice.dear),
    ];
    const broken: string[] = [];
    for (const attack of chosen) {
      const outcome = await runAttack(attack);
      if (outcome.end === "broke" || outcome.end === "failed") broken.push(lineOf(outcome));
    }
    expect(broken).toEqual([]);
  });
});

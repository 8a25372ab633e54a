import { describe, it } from "vitest";
import { dayOf } from "./day-of-work/day.ts";
import { beginDay } from "./day-of-work/work-day.ts";
import { place } from "./support/command-line.ts";
import { hasPseudoTerminal } from "./support/pseudo-terminal.ts";
import { hasTmux } from "./support/tmux-terminal.ts";

const { COGENCY_DAY_TURNS = "8", COGENCY_DAY_SEEDS = "1" } = process.env;

describe.skipIf(!hasPseudoTerminal || !hasTmux)("a day's work", () => {
  it.each(COGENCY_DAY_SEEDS.split(","))(
    "of the seed %s loses no event, and doubles none",
    { timeout: Number(COGENCY_DAY_TURNS) * 60_000 },
    async (seed) => {
      const day = dayOf(Number(seed), Number(COGENCY_DAY_TURNS));
      const work = await beginDay(place(), day, Number(seed));
      for (const turn of day) {
        try {
          await work.turn(turn);
        } catch (error) {
          throw new Error(`Seed ${seed}, in the turn ${JSON.stringify(turn)}`, { cause: error });
        }
      }
      await work.end();
    },
  );
});

import { describe, expect, it } from "vitest";
import { cases } from "./cases/index.ts";
import { describeVariation, differenceOf } from "./compare.ts";
import { brokenLaws } from "./laws.ts";
import { type Played, play, type Variation } from "./play.ts";
import { readRecorded } from "./recorded.ts";
import { isInSlice } from "./variants.ts";

/** `all`, or the seed of the slice of variants. */
const { COGENCY_CORPUS: chosen = "1" } = process.env;
/**
 * Registers a test for each case of the corpus, which replays it and a slice of its variants.
 *
 * @param slices one variant of so many belongs to a slice
 */
export function describeCorpus(slices: number): void {
  describe.each(Object.entries(cases))("the corpus of %s", (file, list) => {
    const recorded = readRecorded(file);

    it("has a recording of each case, and of nothing else", () => {
      expect([...recorded.keys()]).toEqual(list.map(({ name }) => name));
    });

    it.each(list)("$name: the log and events as recorded, and all laws", async (one) => {
      const found = recorded.get(one.name);
      if (!found) throw new Error(`Nothing is recorded of ${one.name}; see test/corpus/README.md.`);
      const played = await play(one, { kind: "base" });
      const base = played.recording;
      const problemOf = (variation: Variation, replayed: Played) => {
        const broken = brokenLaws({ variation, played: replayed, base });
        const difference = differenceOf(found, variation, replayed.recording);
        const place = describeVariation(variation);
        return [
          ...broken.map((law) => `${one.name}, ${place}: ${law}`),
          ...(difference === undefined ? [] : [difference]),
        ];
      };
      const problems = [problemOf({ kind: "base" }, played)];
      for (const { variation } of found.variants) {
        if (chosen !== "all" && !isInSlice(one.name, variation, Number(chosen), slices)) continue;
        problems.push(problemOf(variation, await play(one, variation, found.base.log)));
      }
      const failing = problems.filter(({ length }) => length > 0);
      if (failing.length === 0) return;
      throw new Error(
        `${failing.length} of ${problems.length} replays fail.\n${failing.slice(0, 3).flat().join("\n")}`,
      );
    });
  });
}

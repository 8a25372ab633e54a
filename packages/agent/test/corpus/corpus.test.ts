import { describe, expect, it } from "vitest";
import { cases } from "./cases/index.ts";
import { play } from "./play.ts";
import { readRecorded } from "./recorded.ts";
import { differenceBetween } from "./rules.ts";
import { isInSlice } from "./variants.ts";

/** `all`, or the seed of the slice of variants. */
const { COGENCY_CORPUS: chosen = "1" } = process.env;
/** One variant of so many belongs to a slice. */
const slices = 16;

describe.each(Object.entries(cases))("the corpus of %s", (file, list) => {
  const recorded = readRecorded(file);

  it("has a recording of each case, and of nothing else", () => {
    expect([...recorded.keys()]).toEqual(list.map(({ name }) => name));
  });

  it.each(list)("$name: the same log and events as recorded", { timeout: 300_000 }, async (one) => {
    const found = recorded.get(one.name);
    if (!found) throw new Error(`Nothing is recorded of ${one.name}; see test/corpus/README.md.`);
    const differences = [differenceBetween({ kind: "base" }, await play(one, { kind: "base" }), found)];
    for (const { variation } of found.variants) {
      if (chosen !== "all" && !isInSlice(one.name, variation, Number(chosen), slices)) continue;
      differences.push(differenceBetween(variation, await play(one, variation, found.base.log), found));
    }
    const first = differences.filter((difference) => difference !== undefined);
    if (first.length === 0) return;
    throw new Error(`${first.length} of ${differences.length} replays differ.\n${first.slice(0, 3).join("\n")}`);
  });
});

import * as fc from "fast-check";
import { expect } from "vitest";
import { played, problemsOf } from "./play.ts";
import { plays } from "./plays.ts";

/** Runs so many plays side by side, because they mostly wait. Returns how many screens have shown something that was open. */
export async function playMany(count: number): Promise<number> {
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
  const all = fc.sample(plays, { numRuns: count, seed });
  const results = await Promise.all(all.map(async (play) => ({ play, result: await played(play) })));
  for (const { play, result } of results) {
    expect(problemsOf(result), `seed ${seed}, ${JSON.stringify(play)}`).toEqual([]);
  }
  const screens = results.flatMap(({ result }) => result.screens);
  return screens.filter(({ shown }) => shown.some((parts) => parts.some(isBeingWritten))).length;
}

function isBeingWritten(part: { type: string; open?: true; text?: string }): boolean {
  return part.open === true && (part.type !== "call" || part.text !== undefined);
}

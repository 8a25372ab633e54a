import type { StoredEvent } from "@cogency/storage";
import { beginningOf } from "./beginning-of.ts";
import { type PlayedTurn, turnsAfter } from "./turns-after.ts";

/**
 * How many steps one variant of a log takes at most, each of which asks the model: twice what the recorded turns took.
 *
 * @param from as in the options of `compare`
 * @throws CompareError as `compare`
 */
export function stepsAtMost(log: readonly StoredEvent[], from?: number): number {
  return turnsAfter(log, beginningOf(log, from)).reduce((sum, turn) => sum + stepsOfTurn(turn), 0);
}

/** Twice what the recorded turn took; two for one that took none. */
export function stepsOfTurn({ steps }: PlayedTurn): number {
  return 2 * Math.max(1, steps);
}

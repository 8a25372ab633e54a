import type { LoadOptions } from "../store.ts";
import { wholeCount } from "./whole-count.ts";

/**
 * How many events `load` gives at most, and from which end of what the other options leave.
 *
 * @throws RangeError where one is no count, or where both are given
 */
export function loadCount({ last, limit }: LoadOptions): { most: number; fromStart: boolean } {
  if (limit === undefined) return { most: wholeCount("last", last ?? Number.POSITIVE_INFINITY), fromStart: false };
  if (last === undefined) return { most: wholeCount("limit", limit), fromStart: true };
  throw new RangeError("Both `limit` and `last` are given; give the first or the last events, not both.");
}

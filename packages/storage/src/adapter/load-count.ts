import type { LoadOptions } from "../store.ts";
import { wholeCount } from "./whole-count.ts";

/**
 * The highest number of events that `load` returns, and whether it counts them from the start of the log.
 *
 * @throws RangeError for an invalid `last` or `limit`, or for both together
 * @example loadCount({ last: 10 }) // { most: 10, fromStart: false }
 */
export function loadCount({ last, limit }: LoadOptions): { most: number; fromStart: boolean } {
  if (limit === undefined) return { most: wholeCount("last", last ?? Number.POSITIVE_INFINITY), fromStart: false };
  if (last === undefined) return { most: wholeCount("limit", limit), fromStart: true };
  throw new RangeError("Both `limit` and `last` are given; give the first or the last events, not both.");
}

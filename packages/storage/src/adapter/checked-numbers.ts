import type { LogEvent } from "@cogency/protocol";
import type { LoadOptions } from "../store.ts";
import type { ClaimOptions, SlotOptions } from "../wakes.ts";

/**
 * Returns a time that a caller gave, in Unix milliseconds.
 *
 * @param option the name of the option, for the message
 * @throws RangeError unless it is finite
 */
export function finiteTime(option: string, time: number): number {
  if (Number.isFinite(time)) return time;
  throw new RangeError(`${option} is ${time}; give Unix time in milliseconds.`);
}

/**
 * Returns a count that a caller gave: a whole number ≥ 0, or `Infinity` for all. Numbers above the safe integers become
 * `Infinity`, so that an adapter can count in 64 bits.
 *
 * @param option the name of the option, for the message
 * @throws RangeError for any other number
 */
export function wholeCount(option: string, count: number): number {
  if (Number.isSafeInteger(count) && count >= 0) return count;
  if (count > Number.MAX_SAFE_INTEGER) return Number.POSITIVE_INFINITY;
  throw new RangeError(`${option} is ${count}; give a whole number from 0 up, or Infinity for all.`);
}

/**
 * Returns a count that a caller gave: a whole number ≥ 1.
 *
 * @param option the name of the option, for the message
 * @throws RangeError for any other number, also `Infinity`
 */
function positiveCount(option: string, count: number): number {
  if (Number.isSafeInteger(count) && count >= 1) return count;
  throw new RangeError(`${option} is ${count}; give a whole number from 1 up.`);
}

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

/**
 * Returns the `ttl` of a lease.
 *
 * @throws RangeError unless it is finite and above 0 milliseconds
 */
export function leaseTtl(ttl: number): number {
  if (Number.isFinite(ttl) && ttl > 0) return ttl;
  throw new RangeError(`ttl is ${ttl}; give milliseconds above 0.`);
}

/**
 * Checks the numbers of a claim. `perUser` is `Infinity` if it is not given.
 *
 * @throws RangeError for a `limit` or `perUser` that is no whole number ≥ 1, or a `ttl` that is not above 0
 */
export function claimLimits({ limit, ttl, perUser }: ClaimOptions): { limit: number; ttl: number; perUser: number } {
  return {
    limit: positiveCount("limit", limit),
    ttl: leaseTtl(ttl),
    perUser: perUser === undefined ? Number.POSITIVE_INFINITY : positiveCount("perUser", perUser),
  };
}

/**
 * Checks the numbers of `Store.slot`.
 *
 * @throws RangeError for a `limit` that is no whole number ≥ 1, or a `ttl` that is not above 0
 */
export function slotLimits({ limit, ttl }: SlotOptions): { limit: number; ttl: number } {
  return { limit: positiveCount("limit", limit), ttl: leaseTtl(ttl) };
}

/**
 * Returns the ids of the messages that an append takes, as they are at the time of the call. A message that is named twice
 * stands there twice: it is not in the inbox when it is taken the second time.
 *
 * @throws RangeError if there are ids, but no events
 */
export function takenIds(takes: readonly string[] = [], events: readonly LogEvent[]): readonly string[] {
  if (takes.length === 0 || events.length > 0) return [...takes];
  throw new RangeError(
    "`takes` names messages, but there are no events; append what is left of the messages in the log.",
  );
}

import type { ClaimOptions } from "../wakes.ts";
import { leaseTtl } from "./lease-ttl.ts";
import { positiveCount } from "./positive-count.ts";

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

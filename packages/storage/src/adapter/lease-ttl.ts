/**
 * The `ttl` of a lease as it was asked for.
 *
 * @throws RangeError for anything that is not above 0 milliseconds and finite
 */
export function leaseTtl(ttl: number): number {
  if (Number.isFinite(ttl) && ttl > 0) return ttl;
  throw new RangeError(`ttl is ${ttl}; give milliseconds above 0.`);
}

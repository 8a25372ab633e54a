/**
 * Returns the `ttl` of a lease.
 *
 * @throws RangeError unless it is finite and above 0 milliseconds
 */
export function leaseTtl(ttl: number): number {
  if (Number.isFinite(ttl) && ttl > 0) return ttl;
  throw new RangeError(`ttl is ${ttl}; give milliseconds above 0.`);
}

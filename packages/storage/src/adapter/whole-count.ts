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

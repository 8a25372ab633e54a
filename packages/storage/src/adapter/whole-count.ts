/**
 * How many of something a reader asked for: a whole number from 0 up, or `Infinity` for all. Beyond the safe integers,
 * which no log reaches, it is `Infinity` too, so that an adapter may count in 64 bits.
 *
 * @param option its name, for the message
 * @throws RangeError for anything else
 */
export function wholeCount(option: string, count: number): number {
  if (Number.isSafeInteger(count) && count >= 0) return count;
  if (count > Number.MAX_SAFE_INTEGER) return Number.POSITIVE_INFINITY;
  throw new RangeError(`${option} is ${count}; give a whole number from 0 up, or Infinity for all.`);
}

/**
 * Returns a count that a caller gave: a whole number ≥ 1.
 *
 * @param option the name of the option, for the message
 * @throws RangeError for any other number, also `Infinity`
 */
export function positiveCount(option: string, count: number): number {
  if (Number.isSafeInteger(count) && count >= 1) return count;
  throw new RangeError(`${option} is ${count}; give a whole number from 1 up.`);
}

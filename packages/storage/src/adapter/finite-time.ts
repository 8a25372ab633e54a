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

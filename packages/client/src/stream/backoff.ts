/**
 * Milliseconds until the next try: half to all of a time that doubles with each failure, so that clients which lost one server do not come
 * back at one moment.
 *
 * @param failures how often it has failed in a row; 0 for a connection that ended, where the next one is tried within `base`
 */
export function backoff(failures: number, base: number): number {
  if (failures === 0) return Math.random() * base;
  const most = Math.min(longestDelay, base * 2 ** (failures - 1));
  return most * (0.5 + Math.random() / 2);
}

const longestDelay = 30_000;

/**
 * Milliseconds until a conversation is tried again.
 *
 * @param tries the tries that have failed before this one
 * @param retryAfter what the server asks for: a lower bound up to an hour, and never less than the own one
 * @param random from 0 to 1, so that not all conversations come at one moment
 */
export function delayOf(tries: number, retryAfter = 0, random = Math.random()): number {
  const own = boundOf(tries) * (0.75 + random / 4);
  const asked = retryAfter > 0 ? Math.min(retryAfter, longestAsked) * (1 + random / 10) : 0;
  return Math.max(asked, own);
}

/** Milliseconds that a try waits at most, unless the server asks for more: twice as long after each. */
export function boundOf(tries: number): number {
  return Math.min(firstBound * 2 ** tries, longestBound);
}

export const firstBound = 1000;
export const longestBound = 300_000;
export const longestAsked = 3_600_000;

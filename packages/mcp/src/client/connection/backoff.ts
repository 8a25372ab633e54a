/** Milliseconds to wait before try number `attempt`, counted from 1: from 1 s to 60 s, doubled each time, less up to a half by chance. */
export function backoff(attempt: number, random: () => number = Math.random): number {
  const most = Math.min(60_000, 1000 * 2 ** Math.min(attempt, 10));
  return Math.round(most * (0.5 + random() * 0.5));
}

import { setTimeout as sleep } from "node:timers/promises";

export interface RetryOptions {
  /** Milliseconds after which no new attempt is made. */
  retryFor: number;
  isTransient(error: unknown): boolean;
  /** Ends the waiting between attempts. */
  signal: AbortSignal;
}

/**
 * Makes an attempt again while it fails with a transient error, after waits that double from 50 ms up to 2 s and of which
 * a random half is left out, so that many writers do not come back in one moment. Fails with the last error.
 *
 * @param attempt `isRetry` says that an earlier attempt failed, whose effect is unknown
 */
export async function retry<T>(
  attempt: (isRetry: boolean) => Promise<T>,
  { retryFor, isTransient, signal }: RetryOptions,
): Promise<T> {
  const deadline = performance.now() + retryFor;
  for (let failures = 0; ; failures++) {
    try {
      return await attempt(failures > 0);
    } catch (error) {
      const wait = Math.min(longestWait, firstWait * 2 ** failures) * (0.5 + Math.random() / 2);
      if (signal.aborted || !isTransient(error) || performance.now() + wait > deadline) throw error;
      await sleep(wait, undefined, { signal }).catch(() => {});
    }
  }
}

const firstWait = 50;
const longestWait = 2_000;

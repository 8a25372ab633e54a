import { wait } from "@cogency/async";

export interface RetryOptions {
  /** Milliseconds after which no new attempt starts. */
  retryFor: number;
  isTransient(error: unknown): boolean;
  /** Ends the waiting between attempts. */
  signal: AbortSignal;
}

/**
 * Retries an attempt while it fails with a transient error. The waits double from 50 ms to 2 s, and up to half of each
 * is left out at random, so that many writers do not retry at the same moment. Throws the last error.
 *
 * @param attempt `isRetry` is true after an attempt that failed with an unknown effect
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
      const delay = Math.min(longestWait, firstWait * 2 ** failures) * (0.5 + Math.random() / 2);
      if (signal.aborted || !isTransient(error) || performance.now() + delay > deadline) throw error;
      await wait(delay, signal);
    }
  }
}

const firstWait = 50;
const longestWait = 2_000;

import { longestTimer } from "./longest-timer.ts";

/**
 * Resolves or rejects as the promise does, or rejects with what `overdue` returns once `milliseconds` have passed. What
 * becomes of the promise after that is ignored. There is no limit above `longestTimer`.
 */
export async function inTime<T>(promise: Promise<T>, milliseconds: number, overdue: () => Error): Promise<T> {
  if (milliseconds > longestTimer) return promise;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expiry = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(overdue()), milliseconds);
  });
  try {
    return await Promise.race([promise, expiry]);
  } finally {
    clearTimeout(timer);
  }
}

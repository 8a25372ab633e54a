import { longestTimer } from "./longest-timer.ts";

/**
 * Resolves after `milliseconds`, or as soon as the signal aborts; never rejects. Longer than `longestTimer`, it resolves
 * only when the signal aborts.
 */
export function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted || milliseconds <= 0) return resolve();
    const timer = milliseconds > longestTimer ? undefined : setTimeout(done, milliseconds);
    signal?.addEventListener("abort", done, { once: true });

    function done() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    }
  });
}

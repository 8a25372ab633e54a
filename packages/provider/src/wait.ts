/** A timer that is longer than 2^31 - 1 ms would fire at once. */
const longestTimer = 2 ** 31 - 1;

/**
 * Resolves after so many milliseconds, or as soon as the signal aborts; never rejects. What is longer than a timer can
 * be, 24 days, waits for the signal, as `Infinity` does.
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

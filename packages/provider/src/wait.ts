/** Resolves after so many milliseconds, or as soon as the signal aborts; never rejects. `Infinity` waits for the signal. */
export function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted || milliseconds <= 0) return resolve();
    const timer = milliseconds === Number.POSITIVE_INFINITY ? undefined : setTimeout(done, milliseconds);
    signal?.addEventListener("abort", done, { once: true });

    function done() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    }
  });
}

/**
 * Resolves or rejects as `work` does, or resolves to `instead` if the work has not ended 250 ms after the signal aborted.
 * A result or an error that comes later is ignored.
 */
export function orAbandoned<T, U>(work: () => Promise<T>, signal: AbortSignal, instead: U): Promise<T | U> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const abandonSoon = () => {
      timer = setTimeout(() => resolve(instead), grace);
    };
    if (signal.aborted) abandonSoon();
    else signal.addEventListener("abort", abandonSoon, { once: true });
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abandonSoon);
    };
    (async () => work())().finally(done).then(resolve, reject);
  });
}

/** Milliseconds that work may take to end after the signal has aborted. */
const grace = 250;

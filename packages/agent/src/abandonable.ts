/**
 * Iterate a source that should end when `signal` aborts, without trusting it to: `patience` milliseconds after the
 * abort it counts as ended, and what it still does is nobody's business.
 */
export function abandonable<T>(source: AsyncIterable<T>, signal: AbortSignal, patience: number): AsyncIterator<T> {
  const iterator = source[Symbol.asyncIterator]();
  const done = { done: true, value: undefined } as const;
  let isAbandoned = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let release = () => {};

  const abandonSoon = () => {
    timer = setTimeout(() => {
      isAbandoned = true;
      release();
    }, patience);
  };
  if (signal.aborted) abandonSoon();
  else signal.addEventListener("abort", abandonSoon, { once: true });

  return {
    next: () =>
      new Promise((resolve, reject) => {
        if (isAbandoned) return resolve(done);
        release = () => resolve(done);
        iterator.next().then(resolve, reject);
      }),
    async return() {
      clearTimeout(timer);
      signal.removeEventListener("abort", abandonSoon);
      const returned = iterator.return?.();
      if (isAbandoned) returned?.catch(() => {});
      else await returned;
      return done;
    },
  };
}

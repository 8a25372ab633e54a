/**
 * Iterate a source that should end when `signal` aborts or it is left, without trusting it to: `patience` milliseconds
 * later it counts as ended, and what it still does is nobody's business.
 */
export function abandonable<T>(source: AsyncIterable<T>, signal: AbortSignal, patience: number): AsyncIterator<T> {
  const iterator = source[Symbol.asyncIterator]();
  const done = { done: true, value: undefined } as const;
  let isAbandoned = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let release = () => {};

  const abandonSoon = () => {
    timer ??= setTimeout(() => {
      isAbandoned = true;
      release();
    }, patience);
  };
  /** The promise's value, or the end of the iteration if that comes first. */
  const orDone = (result: () => Promise<IteratorResult<T>>) =>
    new Promise<IteratorResult<T>>((resolve, reject) => {
      if (isAbandoned) return resolve(done);
      release = () => resolve(done);
      result().then(resolve, reject);
    });

  if (signal.aborted) abandonSoon();
  else signal.addEventListener("abort", abandonSoon, { once: true });

  return {
    next: () => orDone(() => iterator.next()),
    async return() {
      abandonSoon();
      await orDone(async () => (await iterator.return?.()) ?? done);
      clearTimeout(timer);
      signal.removeEventListener("abort", abandonSoon);
      return done;
    },
  };
}

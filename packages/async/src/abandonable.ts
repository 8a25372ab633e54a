/**
 * Iterates a source that should end when `signal` aborts or when the consumer leaves, without trusting it to. The iteration
 * ends `grace` milliseconds after that at the latest; what the source does later is ignored.
 */
export function abandonable<T>(source: AsyncIterable<T>, signal: AbortSignal, grace: number): AsyncIterator<T> {
  const iterator = source[Symbol.asyncIterator]();
  const done = { done: true, value: undefined } as const;
  let isAbandoned = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let release = () => {};

  const abandonSoon = () => {
    timer ??= setTimeout(() => {
      isAbandoned = true;
      release();
    }, grace);
  };
  /** Resolves to the result, or to the end of the iteration if the source is abandoned first. */
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

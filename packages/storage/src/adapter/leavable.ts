/**
 * Returns an iteration that `signal` ends, and that can be left while it waits.
 *
 * @param generate gets a signal that aborts when the iteration must end, and when it has ended by itself
 */
export function leavable<Value>(
  signal: AbortSignal | undefined,
  generate: (ending: AbortSignal) => AsyncGenerator<Value, void, undefined>,
): AsyncIterableIterator<Value, void, undefined> {
  const leaving = new AbortController();
  const values = generate(signal ? AbortSignal.any([signal, leaving.signal]) : leaving.signal);
  return {
    async next() {
      let isOver = true;
      try {
        const result = await values.next();
        isOver = result.done === true;
        return result;
      } finally {
        if (isOver) leaving.abort();
      }
    },
    return() {
      leaving.abort();
      return values.return();
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

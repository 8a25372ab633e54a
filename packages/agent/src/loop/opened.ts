/** Events of which it takes a moment until they can be asked for. What `open` throws is the first thing that the iterator gives. */
export function opened<T>(open: () => Promise<AsyncIterable<T>>): AsyncIterable<T> {
  let events: AsyncIterator<T> | undefined;
  const iterator: AsyncIterator<T> = {
    async next() {
      events ??= (await open())[Symbol.asyncIterator]();
      return events.next();
    },
    async return() {
      await events?.return?.();
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

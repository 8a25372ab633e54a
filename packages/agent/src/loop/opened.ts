/** Events of which it takes a moment until they can be asked for. What `open` throws is the first thing that the iterator gives. */
export function opened<T>(open: () => Promise<AsyncIterable<T>>): AsyncIterable<T> {
  let events: AsyncIterator<T> | undefined;
  const first = async () => {
    events = (await open())[Symbol.asyncIterator]();
    return events.next();
  };
  const iterator: AsyncIterator<T> = {
    // The events' own promise: another one would cost as much as the event.
    next: () => (events ? events.next() : first()),
    async return() {
      await events?.return?.();
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

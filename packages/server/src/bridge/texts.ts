import type { Frames } from "../stream/event-stream.ts";

/** Texts as the frames of a stream that is read once. */
export function framesOf(texts: AsyncIterable<string>): Frames {
  const iterator = texts[Symbol.asyncIterator]();
  return {
    async next() {
      const { done, value } = await iterator.next();
      return done ? undefined : { text: value, at: 0 };
    },
    async close() {
      await iterator.return?.();
    },
  };
}

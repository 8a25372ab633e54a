import { startTimer } from "@cogency/async";
import type { StoredEvent } from "@cogency/storage";

interface EventStreamOptions {
  /** Milliseconds without an event after which a comment is sent. */
  keepAlive: number;
  /** Ends the iteration of the events. */
  leave(): void;
  /** Hears why the events broke off. */
  onError(error: unknown): void;
}

/**
 * Stored events as server-sent events, each under its sequence number. An event is read when the reader asks for it, so that a slow
 * reader slows the reading down. Nothing is left over when the reader leaves: no timer, and no iteration.
 */
export function eventStream(
  events: AsyncIterable<StoredEvent>,
  { keepAlive, leave, onError }: EventStreamOptions,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const iterator = events[Symbol.asyncIterator]();
  let next: Promise<IteratorResult<StoredEvent>> | undefined;
  let hasLeft = false;

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode(`retry: ${reconnectAfter}\n\n`));
      },
      async pull(controller) {
        next ??= iterator.next();
        try {
          const result = await unlessQuiet(next, keepAlive);
          if (hasLeft) return;
          if (!result) return controller.enqueue(encoder.encode(": \n\n"));
          next = undefined;
          if (result.done) return end(controller);
          const { value } = result;
          controller.enqueue(encoder.encode(`id: ${value.seq}\ndata: ${JSON.stringify(value)}\n\n`));
        } catch (error) {
          if (hasLeft) return;
          onError(error);
          // The connection breaks, and the reader asks again for the rest.
          controller.error(error);
          leave();
        }
      },
      async cancel() {
        hasLeft = true;
        leave();
        // The iteration may be in the middle of a read.
        await next?.catch(() => {});
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );

  function end(controller: ReadableStreamDefaultController<Uint8Array>): void {
    controller.close();
    leave();
  }
}

/** Milliseconds that a browser waits before it connects again. */
const reconnectAfter = 1000;

/** Undefined if the promise has not settled in time. */
function unlessQuiet<T>(promise: Promise<T>, milliseconds: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = startTimer(milliseconds, () => resolve(undefined));
    promise.then(resolve, reject).finally(timer.stop);
  });
}

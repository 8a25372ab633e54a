import { startTimer } from "@cogency/async";
import type { StoredEvent } from "@cogency/storage";

interface EventStreamOptions {
  /** Yields the events after this one, until the signal aborts. */
  follow(after: number, signal: AbortSignal): AsyncIterable<StoredEvent>;
  /** The number of the last event that the reader has. */
  after: number;
  /** Milliseconds until the stream ends. */
  time: number;
  /** Milliseconds without an event after which a comment is sent. */
  keepAlive: number;
  /** Aborts when the reader has left. */
  signal: AbortSignal;
  /** Called once, when the stream has ended or the reader has left. */
  onEnd(): void;
  /** Hears why the events broke off, unless the store was closed. */
  onError(error: unknown): void;
}

/**
 * Stored events as server-sent events, each under its sequence number. An event is read when the reader asks for it, so that a slow
 * reader slows the reading down, and one that does not read holds no events in memory. Nothing is left over when the reader leaves: no
 * timer, and no iteration.
 */
export function eventStream(options: EventStreamOptions): ReadableStream<Uint8Array> {
  const { time, keepAlive, signal, onEnd } = options;
  // A host that stops has closed its store: its readers ask the next one.
  const tell = (error: unknown) => {
    const isClosed = error instanceof Error && "code" in error && error.code === "closed";
    if (!isClosed) options.onError(error);
  };
  const encoder = new TextEncoder();
  let { after } = options;
  let reading: Reading | undefined;
  let next: Promise<IteratorResult<StoredEvent>> | undefined;
  let pause: { stop(): void } | undefined;
  let lifetime: { stop(): void } | undefined;
  let isEnded = false;
  let hasLeft = false;

  /** Ends the iteration, which may be in the middle of a read, or hold events that it has read ahead. */
  async function stopReading(): Promise<void> {
    pause?.stop();
    const [ended, last] = [reading, next];
    reading = next = undefined;
    ended?.leaving.abort();
    await last?.catch(() => {});
    await ended?.events.return?.();
  }

  function end(): void {
    if (isEnded) return;
    isEnded = true;
    lifetime?.stop();
    signal.removeEventListener("abort", end);
    // What the iteration throws while it ends concerns no reader any more.
    stopReading().catch(() => {});
    onEnd();
  }

  function startReading(): Reading {
    const leaving = new AbortController();
    return { events: options.follow(after, leaving.signal)[Symbol.asyncIterator](), leaving };
  }

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        signal.addEventListener("abort", end, { once: true });
        lifetime = startTimer(time, end);
        if (signal.aborted) end();
        controller.enqueue(encoder.encode(`retry: ${reconnectAfter}\n\n`));
      },
      async pull(controller) {
        pause?.stop();
        if (isEnded) return controller.close();
        try {
          reading ??= startReading();
          next ??= reading.events.next();
          const result = await unlessQuiet(next, keepAlive);
          if (hasLeft) return;
          if (!result) return controller.enqueue(encoder.encode(": \n\n"));
          next = undefined;
          if (result.done) {
            controller.close();
            return end();
          }
          const { value } = result;
          after = value.seq;
          controller.enqueue(encoder.encode(`id: ${after}\ndata: ${JSON.stringify(value)}\n\n`));
          pause = startTimer(longestPause, () => void stopReading().catch(tell));
        } catch (error) {
          if (hasLeft) return;
          tell(error);
          // The connection breaks, and the reader asks again for the rest.
          controller.error(error);
          end();
        }
      },
      async cancel() {
        hasLeft = true;
        const stopped = stopReading();
        end();
        await stopped;
      },
    },
    { highWaterMark: 0 },
  );
}

interface Reading {
  events: AsyncIterator<StoredEvent>;
  leaving: AbortController;
}

/** Milliseconds that a browser waits before it connects again. */
const reconnectAfter = 1000;

/** Milliseconds that a reader may take for one event before the events read ahead are let go. They are read again when it goes on. */
const longestPause = 1000;

/** Undefined if the promise has not settled in time. */
function unlessQuiet<T>(promise: Promise<T>, milliseconds: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = startTimer(milliseconds, () => resolve(undefined));
    promise.then(resolve, reject).finally(timer.stop);
  });
}

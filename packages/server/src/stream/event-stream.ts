import { startTimer } from "@cogency/async";

/** What a stream of server-sent events is read from. */
export interface Frames {
  /** Resolves to the next event; undefined at the end of all. Is called again only after it has settled. */
  next(): Promise<Frame | undefined>;
  /** Ends the reading, which may be in the middle of `next`, or hold what it has read ahead. */
  close(): Promise<void>;
}

/** One server-sent event. */
export interface Frame {
  /** Its lines, with the empty one at the end. */
  readonly text: string;
  /** What the reader has once it has the frame: a reading that is opened anew goes on after it. */
  readonly at: number;
}

interface EventStreamOptions {
  /** Begins to read after what the reader has; again when a reader goes on that had taken nothing for a while, if it `reopens`. */
  open(at: number): Frames;
  /** Whether a reader that has left, or takes nothing for a while, may read on elsewhere or later. If not, one reading is all there is. */
  reopens: boolean;
  /** What the reader has at the beginning. */
  at: number;
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
 * Server-sent events. An event is read when the reader asks for it, so that a slow reader slows the reading down, and one that does not
 * read holds no events in memory. Nothing is left over when the reader leaves: no timer, and no iteration.
 */
export function eventStream(options: EventStreamOptions): ReadableStream<Uint8Array> {
  const { time, keepAlive, signal, onEnd, reopens } = options;
  // A host that stops has closed its store: its readers ask the next one.
  const tell = (error: unknown) => {
    const isClosed = error instanceof Error && "code" in error && error.code === "closed";
    if (!isClosed) options.onError(error);
  };
  const encoder = new TextEncoder();
  let { at } = options;
  let reading: Frames | undefined;
  let next: Promise<Frame | undefined> | undefined;
  let pause: { stop(): void } | undefined;
  let lifetime: { stop(): void } | undefined;
  let isEnded = false;
  let hasLeft = false;

  async function stopReading(): Promise<void> {
    pause?.stop();
    const [ended, last] = [reading, next];
    reading = next = undefined;
    const closing = ended?.close();
    await last?.catch(() => {});
    await closing;
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

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        signal.addEventListener("abort", end, { once: true });
        lifetime = startTimer(time, end);
        if (signal.aborted) end();
        if (reopens) controller.enqueue(encoder.encode(`retry: ${reconnectAfter}\n\n`));
      },
      async pull(controller) {
        pause?.stop();
        if (isEnded) return controller.close();
        try {
          reading ??= options.open(at);
          next ??= reading.next();
          const frame = await unlessQuiet(next, keepAlive);
          if (hasLeft) return;
          if (frame === undefined) {
            controller.close();
            return end();
          }
          if (frame !== quiet) {
            next = undefined;
            at = frame.at;
          }
          controller.enqueue(encoder.encode(frame === quiet ? ": \n\n" : frame.text));
          if (reopens) pause = startTimer(longestPause, () => void stopReading().catch(tell));
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

/** The response that a stream of server-sent events is the body of. */
export function eventResponse(
  body: ReadableStream<Uint8Array>,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      // nginx would collect events otherwise.
      "x-accel-buffering": "no",
      ...headers,
    },
  });
}

/** Milliseconds that a browser waits before it connects again. */
const reconnectAfter = 1000;

/** Milliseconds that a reader may take for one event before what was read ahead is let go. It is read again when the reader goes on. */
const longestPause = 1000;

const quiet = Symbol("quiet");

/** `quiet` if the promise has not settled in time. */
function unlessQuiet<T>(promise: Promise<T>, milliseconds: number): Promise<T | typeof quiet> {
  return new Promise((resolve, reject) => {
    const timer = startTimer(milliseconds, () => resolve(quiet));
    promise.then(resolve, reject).finally(timer.stop);
  });
}

import { wait } from "@cogency/async";
import type { FetchLike } from "@modelcontextprotocol/client";
import { createRate } from "./rate.ts";

export interface FetchBounds {
  /** Headers that only requests to this origin carry. */
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes of one body, or of one event of a stream. */
  readonly messageBytes: number;
  readonly fetch?: FetchLike | undefined;
  /** Called when an event of a stream was too large. */
  breach(sentence: string): void;
}

/**
 * A `fetch` that never follows a redirect by itself, gives the headers of the host to its own origin alone, cuts bodies before they
 * are in memory whole, and opens streams no faster than one a second, after the first sixty: a server that ends each at once says itself
 * how soon the SDK asks again.
 */
export function boundedFetch({
  origin,
  headers,
  messageBytes,
  fetch = globalThis.fetch,
  breach,
}: FetchBounds): FetchLike {
  const streams = createRate(streamsPerMinute);
  return async (url, init) => {
    if ((init?.method ?? "GET") === "GET") await turn(streams, init?.signal ?? undefined);
    const isOwn = new URL(url).origin === origin;
    const sent = new Headers(isOwn ? headers : undefined);
    new Headers(init?.headers).forEach((value, name) => void sent.set(name, value));
    const answer = await fetch(url, {
      ...init,
      headers: sent,
      redirect: init?.redirect === "error" ? "error" : "manual",
    });
    if (!answer.body || answer.status < 200) return answer;
    const isStream = answer.headers.get("content-type")?.toLowerCase().startsWith("text/event-stream") ?? false;
    const meter = isStream ? eventMeter(messageBytes) : bodyMeter(messageBytes);
    const tooLarge = () => {
      if (isStream) breach(`sent an event of more than ${messageBytes} bytes`);
      return new RangeError(`The answer has more than ${messageBytes} bytes.`);
    };
    return new Response(answer.body.pipeThrough(metered(meter, tooLarge)), {
      status: answer.status,
      statusText: answer.statusText,
      headers: answer.headers,
    });
  };
}

const streamsPerMinute = 60;

async function turn(rate: ReturnType<typeof createRate>, signal: AbortSignal | undefined): Promise<void> {
  while (!rate.take()) {
    await wait(60_000 / streamsPerMinute, signal);
    signal?.throwIfAborted();
  }
}

/** Takes a chunk, and says whether it is still within the limit. */
type Meter = (chunk: Uint8Array) => boolean;

function metered(isWithin: Meter, tooLarge: () => Error): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform(chunk, controller) {
      if (isWithin(chunk)) controller.enqueue(chunk);
      else controller.error(tooLarge());
    },
  });
}

function bodyMeter(most: number): Meter {
  let bytes = 0;
  return (chunk) => {
    bytes += chunk.byteLength;
    return bytes <= most;
  };
}

/** An event ends at an empty line. */
function eventMeter(most: number): Meter {
  let bytes = 0;
  let isLineEmpty = true;
  let last = 0;
  return (chunk) => {
    for (const byte of chunk) {
      bytes += 1;
      if (byte === lineFeed && last === carriageReturn) {
        // The second half of one end of line.
      } else if (byte === lineFeed || byte === carriageReturn) {
        if (isLineEmpty) bytes = 0;
        isLineEmpty = true;
      } else {
        isLineEmpty = false;
      }
      last = byte;
      if (bytes > most) return false;
    }
    return true;
  };
}

const lineFeed = 10;
const carriageReturn = 13;

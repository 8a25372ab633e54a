import type { Piece } from "@cogency/protocol/parts";
import type { StoredEvent } from "@cogency/storage";

/** A reader of events that connects again, as a browser does. */
export interface Reader {
  /** What it was given, in that order. */
  readonly seen: readonly StoredEvent[];
  /** The pieces of what was being written, in the order in which they came. */
  readonly pieces: readonly Piece[];
  /** How often it has connected. */
  readonly connections: number;
  /** Resolves with what it was given, once the event that it waits for was among it. */
  readonly whole: Promise<readonly StoredEvent[]>;
}

/**
 * Follows the events at an address. When the connection breaks, it asks for those after the last one that it has, there or at the next
 * address.
 */
export function read(addresses: readonly string[], isLast: (event: StoredEvent) => boolean): Reader {
  const seen: StoredEvent[] = [];
  const pieces: Piece[] = [];
  let connections = 0;
  let tries = 0;
  let isOver = false;
  const whole = follow();
  return {
    seen,
    pieces,
    whole,
    get connections() {
      return connections;
    },
  };

  async function follow(): Promise<readonly StoredEvent[]> {
    while (!isOver) await connectOnce().catch(() => new Promise((resolve) => setTimeout(resolve, 20)));
    return seen;
  }

  async function connectOnce(): Promise<void> {
    const last = seen.at(-1)?.seq;
    const leaving = new AbortController();
    const headers: Record<string, string> = last === undefined ? {} : { "last-event-id": `${last}` };
    const url = addresses[tries++ % addresses.length] ?? "";
    const { body } = await fetch(url, { headers, signal: leaving.signal });
    connections++;
    let rest = "";
    for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const blocks = `${rest}${text}`.split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const [, kind, data] = /^(id|event): \w+\ndata: (.*)$/.exec(block) ?? [];
        if (data === undefined) continue;
        if (kind === "event") {
          pieces.push(...(JSON.parse(data) as Piece[]));
          continue;
        }
        const event: StoredEvent = JSON.parse(data);
        seen.push(event);
        isOver ||= isLast(event);
      }
      if (isOver) leaving.abort();
    }
  }
}

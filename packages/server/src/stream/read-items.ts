import type { Piece } from "@cogency/protocol/parts";
import type { Key, Store, StoredEvent } from "@cogency/storage";
import { Pulled } from "./pulled.ts";

export interface ConversationReading {
  store: Pick<Store, "follow" | "live">;
  key: Key;
}

/** What is read of a conversation, before anything is left out. */
type ConversationItem =
  | { readonly type: "event"; readonly event: StoredEvent }
  /** They come after the event with the number `at`. */
  | { readonly type: "pieces"; readonly pieces: readonly Piece[]; readonly at: number };

/** Can be left while it waits. */
export interface ConversationItems extends AsyncIterable<ConversationItem> {
  next(): Promise<IteratorResult<ConversationItem, undefined>>;
  return(): Promise<IteratorResult<ConversationItem, undefined>>;
}

/**
 * Reads the stored events of a conversation, and between them the pieces of what a run is writing, until it is deleted.
 *
 * A piece comes after the stored events that were there when it was sent. Until then it is held, and no further one is asked for: the
 * follower joins those that come meanwhile, and has a bound (`Live`).
 */
export function readItems({ store, key }: ConversationReading, after: number): ConversationItems {
  const leaving = new AbortController();
  const { signal } = leaving;
  let woken = Promise.withResolvers<void>();
  const wake = () => woken.resolve();
  const log = new Pulled(store.follow(key, { after, signal }), wake);
  const live = new Pulled(store.live.follow(key, { signal }), wake);
  let seen = after;
  let held: readonly Piece[] = [];
  let isLive = true;

  /** The pieces at the front whose stored events were read. */
  function releasedPieces(): readonly Piece[] {
    const end = held.findIndex(({ seq }) => seq > seen);
    const released = end < 0 ? held : held.slice(0, end);
    held = end < 0 ? [] : held.slice(end);
    return released;
  }

  function takeEvent(): IteratorResult<StoredEvent> | undefined {
    log.ask();
    return log.take();
  }

  /** Returns whether there was something to take. */
  function takePieces(): boolean {
    if (held.length > 0 || !isLive) return false;
    live.ask();
    const pieces = live.take();
    if (pieces?.done) isLive = false;
    else if (pieces) held = pieces.value;
    return pieces !== undefined;
  }

  async function next(): Promise<IteratorResult<ConversationItem, undefined>> {
    for (;;) {
      woken = Promise.withResolvers();
      const pieces = releasedPieces();
      if (pieces.length > 0) return { done: false, value: { type: "pieces", pieces, at: seen } };
      const event = takeEvent();
      if (event?.done) return end;
      if (event) {
        seen = event.value.seq;
        return { done: false, value: { type: "event", event: event.value } };
      }
      if (!takePieces()) await woken.promise;
    }
  }

  return {
    next,
    async return() {
      leaving.abort();
      await Promise.all([log.close(), live.close()]);
      return end;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

const end = { done: true, value: undefined } as const;

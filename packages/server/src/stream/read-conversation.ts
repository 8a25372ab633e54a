import type { Piece } from "@cogency/protocol/parts";
import type { Key, Store, StoredEvent } from "@cogency/storage";
import type { View } from "../view/view.ts";
import type { Frame, Frames } from "./event-stream.ts";
import { Pulled } from "./pulled.ts";

interface ConversationReading {
  store: Pick<Store, "follow" | "live">;
  key: Key;
  view: View;
}

/**
 * Reads what one reader gets of a conversation: stored events under their numbers, and between them the pieces of what a run is writing.
 *
 * A piece comes after the stored events that were there when it was sent, also where the view leaves them out. Until then it is held,
 * and no further one is asked for: the follower joins those that come meanwhile, and has a bound (`Live`).
 */
export function readConversation({ store, key, view }: ConversationReading, after: number): Frames {
  const leaving = new AbortController();
  const { signal } = leaving;
  let woken = Promise.withResolvers<void>();
  const wake = () => woken.resolve();
  const log = new Pulled(store.follow(key, { after, signal }), wake);
  const live = new Pulled(store.live.follow(key, { signal }), wake);
  let seen = after;
  let held: readonly Piece[] = [];
  let isLive = true;

  /** The pieces at the front whose stored events were sent. */
  function releasedPieces(): Frame | undefined {
    const end = held.findIndex(({ seq }) => seq > seen);
    const released = end < 0 ? held : held.slice(0, end);
    held = end < 0 ? [] : held.slice(end);
    const shown = view.pieces(released);
    if (shown.length === 0) return undefined;
    return { text: `event: pieces\ndata: ${JSON.stringify(shown)}\n\n`, at: seen };
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

  async function next(): Promise<Frame | undefined> {
    for (;;) {
      woken = Promise.withResolvers();
      const pieces = releasedPieces();
      if (pieces) return pieces;
      const event = takeEvent();
      if (event?.done) return undefined;
      if (event) {
        seen = event.value.seq;
        const shown = view.event(event.value);
        if (shown) return { text: `id: ${seen}\ndata: ${JSON.stringify(shown)}\n\n`, at: seen };
      } else if (!takePieces()) await woken.promise;
    }
  }

  async function close(): Promise<void> {
    leaving.abort();
    await Promise.all([log.close(), live.close()]);
  }

  return { next, close };
}

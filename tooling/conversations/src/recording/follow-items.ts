import type { Piece } from "@cogency/protocol/parts";
import type { Key, Store, StoredEvent } from "@cogency/storage";
import type { RecordedItem } from "../recorded-conversation.ts";

/**
 * Yields what a follower gets of a conversation, in the order in which a server sends it: pieces come after the stored events that were
 * there when they were sent. Ends when `signal` aborts.
 */
export async function* followItems(store: Store, key: Key, signal: AbortSignal): AsyncGenerator<RecordedItem> {
  const log = pulled(store.follow(key, { signal }));
  const live = pulled(store.live.follow(key, { signal }));
  let seen = 0;
  let held: readonly Piece[] = [];
  for (;;) {
    const released = held.filter((piece) => piece.seq <= seen);
    if (released.length > 0) {
      held = held.filter((piece) => piece.seq > seen);
      yield { type: "pieces", pieces: released };
    }
    const next = await Promise.race([log.next(), ...(held.length > 0 ? [] : [live.next()])]);
    if (next.done) return;
    next.take();
    if (isEvent(next.value)) {
      seen = next.value.seq;
      yield { type: "event", event: next.value };
    } else held = next.value;
  }
}

function isEvent(value: StoredEvent | readonly Piece[]): value is StoredEvent {
  return !Array.isArray(value);
}

/** Asks for one value at a time, which stays until it is taken. */
function pulled<T>(values: AsyncIterable<T>) {
  const iterator = values[Symbol.asyncIterator]();
  let asked: Promise<{ done: true } | { done: false; value: T; take: () => void }> | undefined;
  const take = () => {
    asked = undefined;
  };
  const ask = async () => {
    const result = await iterator.next();
    return result.done ? ({ done: true } as const) : ({ done: false, value: result.value, take } as const);
  };
  return {
    next() {
      asked ??= ask();
      return asked;
    },
  };
}

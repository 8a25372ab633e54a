import type { Key, Store, StoredEvent } from "@cogency/storage";

/**
 * The end of a log, from its last words to the model on or from before them. No question and no call before those is open.
 */
export async function recentEvents(store: Pick<Store, "load">, key: Key): Promise<StoredEvent[]> {
  for (let last = 64; ; last *= 8) {
    const events = await store.load(key, { last });
    if (events.length < last || events.some(({ type }) => type === "user")) return events;
  }
}

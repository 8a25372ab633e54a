import type { LogEvent } from "@cogency/protocol";
import type { Key, Store, StoredEvent } from "@cogency/storage";
import { runErrorOf } from "./errors.ts";

/** One conversation's log in the hands of its one writer: another writer's append is found out and ends the run. */
export interface ConversationLog {
  load(): Promise<StoredEvent[]>;
  /** Stored in the order of the calls, also when they overlap. @throws RunError `store` */
  append(events: readonly LogEvent[]): Promise<void>;
}

export function openLog(store: Store, key: Key): ConversationLog {
  let last: number | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = queue.then(work).catch((error) => {
      throw runErrorOf(error, "store");
    });
    queue = turn.catch(() => {});
    return turn;
  };

  return {
    load: () =>
      inTurn(async () => {
        const events = await store.load(key);
        last ??= events.at(-1)?.seq ?? 0;
        return events;
      }),
    append: (events) =>
      inTurn(async () => {
        if (events.length > 0) last = await store.append(key, events, { expected: last });
      }),
  };
}

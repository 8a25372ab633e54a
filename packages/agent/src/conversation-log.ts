import type { LogEvent } from "@cogency/protocol";
import type { Key, Store, StoredEvent } from "@cogency/storage";
import { isStoreFailure, type RunError, runErrorOf } from "./errors.ts";
import type { RunLease } from "./run-lease.ts";

/** One conversation's log in the hands of its one writer: another writer's append is found out and ends the run. */
export interface ConversationLog {
  load(): Promise<StoredEvent[]>;
  /**
   * Stored in the order of the calls, also when they overlap. If the lease was lost, it is asked for once more: the batch
   * is stored unless somebody wrote since. Once a batch was refused for another writer's sake, nothing is stored any more.
   *
   * @throws RunError `store`, `busy`
   */
  append(events: readonly LogEvent[]): Promise<void>;
}

export function openLog(store: Store, key: Key, lease: RunLease): ConversationLog {
  let last: number | undefined;
  let refusal: RunError | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = queue.then(work).catch((error) => {
      const failure = runErrorOf(error, "store");
      if (refusals.some((code) => isStoreFailure(failure.cause, code))) refusal = failure;
      throw failure;
    });
    queue = turn.catch(() => {});
    return turn;
  };

  const write = (events: readonly LogEvent[]) => store.append(key, events, { expected: last, lease: lease.current });

  return {
    load: () =>
      inTurn(async () => {
        const events = await store.load(key);
        last ??= events.at(-1)?.seq ?? 0;
        return events;
      }),
    append: (events) =>
      inTurn(async () => {
        if (events.length === 0) return;
        if (refusal) throw refusal;
        try {
          last = await write(events);
        } catch (error) {
          if (!isStoreFailure(error, "lease_lost")) throw error;
          await lease.take();
          last = await write(events);
        }
      }),
  };
}

/** Of these another writer is the reason. */
const refusals = ["lease_held", "lease_lost", "conflict"] as const;

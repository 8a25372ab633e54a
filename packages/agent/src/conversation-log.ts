import type { LogEvent } from "@cogency/protocol";
import type { Key, Store, StoredEvent } from "@cogency/storage";
import { isStoreFailure, type RunError, runErrorOf } from "./errors.ts";
import type { RunLease } from "./run-lease.ts";

/** One conversation's log in the hands of its one writer: another writer's append is found out and ends the run. */
export interface ConversationLog {
  load(): Promise<StoredEvent[]>;
  /**
   * Stored in the order of the calls, also when they overlap. If the lease was lost, it is asked for once more: the batch
   * is stored unless somebody wrote since, or wrote the conversation anew after it was deleted. Once a batch was refused
   * for another writer's sake, nothing is stored any more.
   *
   * @throws RunError `store`, `busy`
   */
  append(events: readonly LogEvent[]): Promise<void>;
}

export function openLog(store: Store, key: Key, lease: RunLease): ConversationLog {
  let last: number | undefined;
  /** The event of that number, as far as every store gives it back unchanged. */
  let end: Pick<LogEvent, "type" | "timestamp"> | undefined;
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

  const write = async (events: readonly LogEvent[]) => {
    last = await store.append(key, events, { expected: last, lease: lease.current });
    end = events.at(-1);
  };

  /** A log that was deleted and written anew may have as many events by chance. */
  const isAnother = async () => {
    if (!last || !end) return false;
    const [found] = await store.load(key, { after: last - 1 });
    return found !== undefined && (found.type !== end.type || found.timestamp !== end.timestamp);
  };

  return {
    load: () =>
      inTurn(async () => {
        const events = await store.load(key);
        if (last === undefined) {
          const latest = events.at(-1);
          last = latest?.seq ?? 0;
          end = latest;
        }
        return events;
      }),
    append: (events) =>
      inTurn(async () => {
        if (events.length === 0) return;
        if (refusal) throw refusal;
        try {
          await write(events);
        } catch (error) {
          if (!isStoreFailure(error, "lease_lost")) throw error;
          await lease.take();
          if (await isAnother()) throw error;
          await write(events);
        }
      }),
  };
}

/** Of these another writer is the reason. */
const refusals = ["lease_held", "lease_lost", "conflict"] as const;

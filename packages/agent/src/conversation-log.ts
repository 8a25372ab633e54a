import type { LogEvent } from "@cogency/protocol";
import type { Key, Store, StoredEvent } from "@cogency/storage";
import { askAgain } from "./ask-again.ts";
import { isStoreFailure, type RunError, runErrorOf } from "./errors.ts";
import { contentIn } from "./held-content.ts";
import type { RunLease } from "./run-lease.ts";

/** One conversation's log in the hands of its one writer: another writer's append is found out and ends the run. */
export interface ConversationLog {
  load(): Promise<StoredEvent[]>;
  /**
   * Stored in the order of the calls, also when they overlap. A `content` record of a kind that the log has already is
   * left out. A store that is unavailable is asked again for a moment. If the lease was lost, it is asked for once more: the batch
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
  /** The kinds of content that it is recorded to hold. */
  let recorded: ReadonlySet<string> = new Set();
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

  const write = async (events: readonly LogEvent[], batch: string) => {
    last = await askAgain(() => store.append(key, events, { expected: last, lease: lease.current, batch }));
    end = events.at(-1);
    recorded = new Set([...recorded, ...kindsIn(events)]);
  };

  /** A log that was deleted and written anew may have as many events by chance. */
  const isAnother = async () => {
    if (!last || !end) return false;
    const after = last - 1;
    const [found] = await askAgain(() => store.load(key, { after }));
    return found !== undefined && (found.type !== end.type || found.timestamp !== end.timestamp);
  };

  return {
    load: () =>
      inTurn(async () => {
        const events = await askAgain(() => store.load(key));
        recorded = kindsIn(events);
        if (last === undefined) {
          const latest = events.at(-1);
          last = latest?.seq ?? 0;
          end = latest;
        }
        return events;
      }),
    append: (given) =>
      inTurn(async () => {
        // Now, not when it was asked for: what is stored meanwhile decides.
        const events = withoutKnown(given, recorded);
        if (events.length === 0) return;
        if (refusal) throw refusal;
        const batch = crypto.randomUUID();
        try {
          await write(events, batch);
        } catch (error) {
          if (!isStoreFailure(error, "lease_lost")) throw error;
          await lease.take();
          if (await isAnother()) throw error;
          await write(events, batch);
        }
      }),
  };
}

/** Only what is recorded for good: what a call that began would bring at worst is not. */
function kindsIn(events: readonly LogEvent[]): Set<string> {
  return new Set(contentIn(events.filter(isContentRecord)).map(({ holds }) => holds));
}

function isContentRecord(event: LogEvent): boolean {
  return event.type === "record" && event.kind === "content";
}

/** The events without `content` records that tell nothing new: later ones of a kind. */
function withoutKnown(events: readonly LogEvent[], recorded: ReadonlySet<string>): LogEvent[] {
  const known = new Set(recorded);
  return events.filter((event) => {
    if (event.type !== "record" || event.kind !== "content") return true;
    const isNew = !known.has(event.data.holds);
    known.add(event.data.holds);
    return isNew;
  });
}

/** Of these another writer is the reason. */
const refusals = ["lease_held", "lease_lost", "conflict"] as const;

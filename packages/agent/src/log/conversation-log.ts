import type { LogEvent } from "@cogency/protocol";
import type { Key, Store, StoredEvent } from "@cogency/storage";
import { isStoreFailure, type RunError, runErrorOf } from "../errors.ts";
import { askAgain } from "./ask-again.ts";
import { contentIn } from "./held-content.ts";
import type { RunLease } from "./run-lease.ts";

/** The log of one conversation, as its only writer sees it. An append by another writer ends the run. */
export interface ConversationLog {
  load(): Promise<StoredEvent[]>;
  /**
   * Stores the events. Appends that overlap are stored in the order in which they were made. A `content` record of a kind
   * that the log already holds is left out.
   *
   * - If the store is unavailable, the append is repeated for a moment.
   * - If the lease was lost, the run takes it again, once. The append fails if another writer appended in between, or
   *   deleted the conversation and began it anew.
   * - After an append has failed because of another writer, every later one fails too.
   *
   * @throws RunError `store`, `busy`
   */
  append(events: readonly LogEvent[]): Promise<void>;
}

export function openLog(store: Store, key: Key, lease: RunLease): ConversationLog {
  let last: number | undefined;
  /** The last event: the parts of it that every store returns unchanged. */
  let end: Pick<LogEvent, "type" | "timestamp"> | undefined;
  /** The kinds of content that the log has records of. */
  let recorded: ReadonlySet<string> = new Set();
  let refusal: RunError | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  const enqueue = <T>(work: () => Promise<T>): Promise<T> => {
    const done = queue.then(work).catch((error) => {
      const failure = runErrorOf(error, "store");
      if (refusals.some((code) => isStoreFailure(failure.cause, code))) refusal = failure;
      throw failure;
    });
    queue = done.catch(() => {});
    return done;
  };

  const write = async (events: readonly LogEvent[], id: string) => {
    last = await askAgain(() => store.append(key, events, { expected: last, lease: lease.current, batch: id }));
    end = events.at(-1);
    recorded = new Set([...recorded, ...kindsIn(events)]);
  };

  /** Whether another log has taken the place of this one: a log that was deleted and begun anew may have as many events. */
  const isAnother = async () => {
    if (!last || !end) return false;
    const after = last - 1;
    const [found] = await askAgain(() => store.load(key, { after }));
    return found !== undefined && (found.type !== end.type || found.timestamp !== end.timestamp);
  };

  return {
    load: () =>
      enqueue(async () => {
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
      enqueue(async () => {
        // Checked now, not when the append was requested: earlier appends of the queue count.
        const events = withoutKnown(given, recorded);
        if (events.length === 0) return;
        if (refusal) throw refusal;
        const id = crypto.randomUUID();
        try {
          await write(events, id);
        } catch (error) {
          if (!isStoreFailure(error, "lease_lost")) throw error;
          await lease.take();
          if (await isAnother()) throw error;
          await write(events, id);
        }
      }),
  };
}

/** The kinds of content that have a `content` record. Content that a call may bring (`started`) is not among them. */
function kindsIn(events: readonly LogEvent[]): Set<string> {
  return new Set(contentIn(events.filter(isContentRecord)).map(({ holds }) => holds));
}

function isContentRecord(event: LogEvent): boolean {
  return event.type === "record" && event.kind === "content";
}

/** The events without the `content` records of a kind that the log, or an earlier event, already names. */
function withoutKnown(events: readonly LogEvent[], recorded: ReadonlySet<string>): LogEvent[] {
  const known = new Set(recorded);
  return events.filter((event) => {
    if (event.type !== "record" || event.kind !== "content") return true;
    const isNew = !known.has(event.data.holds);
    known.add(event.data.holds);
    return isNew;
  });
}

/** Errors that another writer caused. */
const refusals = ["lease_held", "lease_lost", "conflict"] as const;

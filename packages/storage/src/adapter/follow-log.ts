import type { FollowOptions, StoredEvent } from "../store.ts";

/** What there is to follow. */
export interface FollowedLog {
  /** The first events after a number, not necessarily all; `"deleted"` if the log is not the one any more that it was. */
  read(after: number): Promise<readonly StoredEvent[] | "deleted">;
  /** Resolves when there may be more to read since it was called, and when `signal` is aborted. */
  change(signal: AbortSignal | undefined): Promise<void>;
}

/** `Store.follow` over what an adapter can read and wait for. Leaving it ends the waiting, too. */
export function followLog(
  log: FollowedLog,
  options: FollowOptions,
): AsyncIterableIterator<StoredEvent, void, undefined> {
  const leaving = new AbortController();
  const events = eventsOf(log, options, leaving);
  return {
    next: () => events.next(),
    return() {
      leaving.abort();
      return events.return();
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

async function* eventsOf(
  log: FollowedLog,
  { after = 0, signal }: FollowOptions,
  leaving: AbortController,
): AsyncGenerator<StoredEvent, void, undefined> {
  const ending = signal ? AbortSignal.any([signal, leaving.signal]) : leaving.signal;
  let seen = Math.floor(Math.max(0, after));
  let change: Promise<void> | undefined;
  try {
    while (!ending.aborted) {
      // Before reading: what comes between the two must not be missed.
      change ??= log.change(ending);
      change.catch(() => {});
      const events = await log.read(seen);
      if (events === "deleted") return;
      for (const event of events) {
        if (ending.aborted) return;
        yield event;
        seen = event.seq;
      }
      if (events.length > 0) continue;
      await change;
      change = undefined;
    }
  } finally {
    leaving.abort();
  }
}

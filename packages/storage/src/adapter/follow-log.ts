import type { FollowOptions, StoredEvent } from "../store.ts";

/** One log, as `followLog` reads it. */
export interface FollowedLog {
  /** Returns the next events after a sequence number, not necessarily all; `"deleted"` once the log was deleted. */
  read(after: number): Promise<readonly StoredEvent[] | "deleted">;
  /** Resolves when the log may have changed since the call, or when `signal` is aborted. */
  change(signal: AbortSignal | undefined): Promise<void>;
}

/**
 * Implements `Store.follow` for an adapter that can read a log and wait for changes. Leaving the iteration ends the
 * wait.
 */
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
      // Waits before it reads: otherwise it would miss an append between the two.
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

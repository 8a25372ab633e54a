import type { FollowOptions, StoredEvent } from "../store.ts";
import { leavable } from "./leavable.ts";

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
  { after, signal }: FollowOptions,
): AsyncIterableIterator<StoredEvent, void, undefined> {
  return leavable(signal, (ending) => eventsOf(log, after, ending));
}

async function* eventsOf(
  log: FollowedLog,
  after = 0,
  ending: AbortSignal,
): AsyncGenerator<StoredEvent, void, undefined> {
  let seen = Math.floor(Math.max(0, after));
  let change: Promise<void> | undefined;
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
}

import { wait } from "@cogency/async";
import type { WatchWakesOptions } from "../wakes.ts";
import { leavable } from "./leavable.ts";

/** The conversations of one scope, as `watchDue` watches them. */
export interface DueSource {
  /** @throws StoreError `closed` */
  look(): Promise<DueLook> | DueLook;
  /**
   * Resolves when another conversation may have become due since the call, or may become due at another time: after a post, a
   * wake, a claim or its end, a lease or its end, when the store is closed, or when `signal` is aborted. A change that it
   * misses is seen a minute later.
   */
  change(signal: AbortSignal | undefined): Promise<void>;
}

export interface DueLook {
  /** Whether a conversation can be claimed now. */
  isDue: boolean;
  /** Milliseconds until the next conversation can be claimed that cannot be claimed now; undefined if none is known. */
  next: number | undefined;
}

/**
 * Implements `Store.watchWakes` for an adapter that can read what is due and wait for changes: with one timer, which keeps the
 * process alive. May also yield without anything new if what was due was not claimed. Leaving the iteration ends the wait.
 */
export function watchDue(
  source: DueSource,
  { signal }: Pick<WatchWakesOptions, "signal">,
): AsyncIterableIterator<void, void, undefined> {
  return leavable(signal, (ending) => duesOf(source, ending));
}

async function* duesOf({ look, change }: DueSource, ending: AbortSignal): AsyncGenerator<void, void, undefined> {
  while (!ending.aborted) {
    const waiting = new AbortController();
    const stop = AbortSignal.any([ending, waiting.signal]);
    // Waits before it looks: otherwise it would miss a change between the two.
    const changed = change(stop);
    changed.catch(() => {});
    try {
      const { isDue, next = longestWait } = await look();
      const end = performance.now() + Math.min(next, longestWait);
      if (ending.aborted) return;
      if (isDue) yield;
      // Timers count whole milliseconds, and would come too early.
      await Promise.race([changed, wait(Math.max(1, Math.ceil(end - performance.now())), stop)]);
    } finally {
      waiting.abort();
    }
  }
}

/** Milliseconds. Clocks may be set, and a notification of another process may be lost. */
const longestWait = 60_000;

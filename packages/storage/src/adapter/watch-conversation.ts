import type { FollowOptions } from "../store.ts";
import { leavable } from "./leavable.ts";

/** One conversation, as `watchConversation` watches it. */
export interface WatchedConversation {
  /** @throws StoreError `closed` */
  refuseIfClosed(): void;
  /** Resolves at the next change of the conversation since the call, when the store is closed, or when `signal` is aborted. */
  change(signal: AbortSignal | undefined): Promise<void>;
}

/** Implements `Store.watch` for an adapter that can wait for changes. Leaving the iteration ends the wait. */
export function watchConversation(
  conversation: WatchedConversation,
  { signal }: Pick<FollowOptions, "signal">,
): AsyncIterableIterator<void, void, undefined> {
  return leavable(signal, (ending) => changesOf(conversation, ending));
}

async function* changesOf(
  { refuseIfClosed, change }: WatchedConversation,
  ending: AbortSignal,
): AsyncGenerator<void, void, undefined> {
  while (!ending.aborted) {
    refuseIfClosed();
    // Waits before it yields: otherwise it would miss a change while the caller reads.
    const next = change(ending);
    next.catch(() => {});
    yield;
    await next;
  }
}

import type { LogEvent } from "@cogency/protocol";
import { isConflictError, isLeaseLostError, type Key, type Lease, type Store, StoreError } from "@cogency/storage";
import { leaseOwner } from "@cogency/storage-sqlite/lease-owner";

/** Stores a conversation that must not be there yet, as its events come. */
export interface ImportedConversation {
  add(event: LogEvent): Promise<void>;
  /** All of it is in the store when this resolves. */
  finish(): Promise<void>;
  /**
   * Something failed: nothing of it stays.
   *
   * @throws StoreError if a part cannot be removed
   */
  abandon(error: unknown): Promise<void>;
}

/**
 * One that is not too large is stored by a single append, which is atomic. A larger one takes several, under a lease, so
 * so that no other writer comes in between. A process that is killed before `finish` leaves a part of it.
 */
export function importConversation(key: Key, store: Store): ImportedConversation {
  let events: LogEvent[] = [];
  let size = 0;
  let last = 0;
  let lease: Lease | undefined;

  const append = async () => {
    last = await store.append(key, events, { expected: last, lease });
    events = [];
    size = 0;
  };

  return {
    async add(event) {
      events.push(event);
      size += JSON.stringify(event).length;
      if (events.length < mostEvents && size < mostText) return;
      if (lease) await lease.renew();
      else lease = await store.lease(key, { owner: `${leaseOwner()}#${crypto.randomUUID()}`, ttl: patience });
      await append();
    },
    async finish() {
      if (events.length > 0) await append();
      await lease?.release();
    },
    async abandon(error) {
      // Another process made the conversation, so it is not deleted.
      const isOurs = last > 0 && !isConflictError(error) && !isLeaseLostError(error);
      try {
        if (isOurs) await store.delete(key);
      } catch {
        const why = error instanceof Error ? error.message : String(error);
        const advice =
          "A part of the conversation was stored and cannot be removed now: delete it, then import it again.";
        throw new StoreError("unavailable", `${why} ${advice}`, { cause: error });
      } finally {
        // Another failure would hide the first one.
        await lease?.release().catch(() => {});
      }
    },
  };
}

/** Of one append. */
const mostEvents = 10_000;
const mostText = 32 * 1024 * 1024;

/** How long a lease lasts, in milliseconds; one append takes far less. */
const patience = 120_000;

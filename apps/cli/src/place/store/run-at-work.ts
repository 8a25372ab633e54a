import { isLeaseHeldError, type Store } from "@cogency/storage";
import { isOwnerGone, leaseOwner } from "@cogency/storage-sqlite/lease-owner";

/**
 * Whether a run holds a conversation. A store says so only to a writer, so this one asks for the lease, and gives it back at once:
 * a run that begins in this moment fails as busy.
 */
export async function isRunAtWork(store: Store, conversation: string): Promise<boolean> {
  try {
    const owner = `${leaseOwner()}#${crypto.randomUUID()}`;
    await (await store.lease({ conversation }, { owner, ttl: 1000 })).release();
    return false;
  } catch (error) {
    if (isLeaseHeldError(error)) return !isOwnerGone(error.owner);
    throw error;
  }
}

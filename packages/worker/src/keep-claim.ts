import { wait } from "@cogency/async";
import type { Claim, Store } from "@cogency/storage";

export interface KeptClaim {
  store: Pick<Store, "renewClaim">;
  /** Milliseconds of the claim. */
  ttl: number;
  /** Aborts when the claim is to be settled. */
  signal: AbortSignal;
}

/** Renews a claim while its run goes on, so that no other worker claims the conversation and the user's place stays taken. */
export async function keepClaim(claim: Claim, { store, ttl, signal }: KeptClaim): Promise<void> {
  for (let stands = true; stands; ) {
    await wait(ttl / 3, signal);
    if (signal.aborted) return;
    // A store that fails now may answer next time. Until then the claim may end; the lease keeps others from writing.
    stands = await store.renewClaim(claim, ttl).catch(() => true);
  }
}

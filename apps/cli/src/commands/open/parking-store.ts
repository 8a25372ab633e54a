import type { Claim, Store } from "@cogency/storage";

/**
 * A store that parks a conversation whose run has failed three times, instead of giving it out again: each try may cost money. The next
 * message of a person makes it due again (`pageSender`).
 */
export function parkingStore(store: Store): Store {
  return {
    ...store,
    async claim(options) {
      for (;;) {
        const claims = await store.claim(options);
        const kept: Claim[] = [];
        for (const claim of claims) {
          if (claim.attempts <= mostAttempts) kept.push(claim);
          else await store.park(claim, `Its run has failed ${mostAttempts} times.`);
        }
        if (kept.length > 0 || claims.length === 0) return kept;
      }
    },
  };
}

const mostAttempts = 3;

import { assert, assertEqual, eventually } from "@cogency/protocol/testkit";
import type { Lease, Store } from "../../store.ts";
import { assertRejects } from "../assert-rejects.ts";
import { key } from "../samples/events.ts";
import { hour } from "../samples/times.ts";

/** Asserts that the store refuses others, with the owner and the end of the lease. */
export async function isHeldUntil(store: Store, { owner, expiresAt }: Lease, of = key): Promise<void> {
  const refusal = await assertRejects(store.lease(of, { owner: "a third", ttl: 1 }), "lease_held", "a third owner");
  assertEqual([refusal.owner, refusal.expiresAt], [owner, expiresAt], "who holds the lease, and until when");
}

/** A lease that was renewed in time. Tries again with a longer `ttl` on a machine that was too slow. */
export async function renewed(store: Store, before = (_: Lease) => {}): Promise<{ lease: Lease; ttl: number }> {
  for (let ttl = 500; ; ttl *= 4) {
    const lease = await store.lease(key, { owner: "one", ttl });
    before(lease);
    const problem = await lease.renew(hour).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (problem === undefined) return { lease, ttl };
    if (ttl > 20_000) throw problem;
  }
}

/** Asks again until the lease is free, and returns it. */
export function whenFree(store: Store, owner: string, patience: number, of = key): Promise<Lease> {
  const look = () =>
    store.lease(of, { owner, ttl: hour }).catch(async (error: unknown) => {
      await assertRejects(Promise.reject(error), "lease_held", "an owner who waits");
      return undefined;
    });
  return eventually(look, patience, "The lease did not expire");
}

/** Asserts that `lost` has aborted, with the error that an append with the lease would get. */
export function assertLost({ lost, token }: Lease, what: string): void {
  assert(lost.aborted, `lost must have aborted: ${what}.`);
  const { code, token: named } = lost.reason as Record<string, unknown>;
  assertEqual([code, named], ["lease_lost", token], `the code and the token of the reason: ${what}`);
}

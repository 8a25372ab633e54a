import type { Lease, Store } from "../../src/index.ts";

/** A store whose leases have other methods or accessors. */
export function leases(change: (lease: Lease) => Partial<Lease>) {
  return (store: Store): Partial<Store> => ({
    async lease(key, options) {
      const lease = await store.lease(key, options);
      return changed(lease, change(lease));
    },
  });
}

/** The methods and accessors of a lease are not its own properties, so spreading it would lose them. */
export function changed(lease: Lease, change: Partial<Lease>): Lease {
  const wrapped: Lease = {
    owner: lease.owner,
    token: lease.token,
    ttl: lease.ttl,
    get expiresAt() {
      return lease.expiresAt;
    },
    get lost() {
      return lease.lost;
    },
    renew: (ttl) => lease.renew(ttl),
    release: () => lease.release(),
  };
  return Object.defineProperties(wrapped, Object.getOwnPropertyDescriptors(change));
}

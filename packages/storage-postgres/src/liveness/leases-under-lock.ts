import type { Lease } from "@cogency/storage";

/** The leases that are recorded with the lock of this store (see `Holder`), by their tokens. */
export interface LeasesUnderLock {
  add(name: string, lease: Lease): void;
  remove(token: number): void;
  /** Returns all and forgets them. */
  clear(): { name: string; token: number }[];
}

/** Leases that nobody has any more leave by themselves: one that has expired is neither released nor answered as lost. */
export function leasesUnderLock(): LeasesUnderLock {
  const leases = new Map<number, { name: string; lease: WeakRef<Lease> }>();
  let nextLook = 1_000;

  return {
    add(name, lease) {
      leases.set(lease.token, { name, lease: new WeakRef(lease) });
      if (leases.size < nextLook) return;
      for (const [token, one] of leases) if (!one.lease.deref()) leases.delete(token);
      nextLook = Math.max(1_000, leases.size * 2);
    },
    remove: (token) => void leases.delete(token),
    clear() {
      const all = Array.from(leases, ([token, { name }]) => ({ name, token }));
      leases.clear();
      return all;
    },
  };
}

import { leaseTtl } from "../adapter/checked-numbers.ts";
import { LeaseHeldError } from "../errors.ts";
import type { Key } from "../key.ts";
import { type GrantedLeases, grantedLeases } from "../lease/granted-leases.ts";
import type { Lease, LeaseOptions } from "../store.ts";
import { keyName } from "./keyed-changes.ts";

/** The leases of `memoryStore`. */
export interface MemoryLeases extends Pick<GrantedLeases, "renew"> {
  /** @throws LeaseHeldError, RangeError */
  grant(key: Key, options: LeaseOptions): Lease;
  /** @throws LeaseHeldError, LeaseLostError if a writer with this lease, or without one, must not append now */
  check(key: Key, lease: Pick<Lease, "token"> | undefined): void;
  remove(key: Key): void;
}

/** Who is told of leases. */
export interface LeaseListener {
  /** A lease was granted or renewed. */
  leaseEnds(key: Key, at: number): void;
  leaseReleased(key: Key): void;
}

interface Held {
  key: Key;
  owner: string;
  token: number;
  expiresAt: number;
}

/**
 * @param clock Unix time in milliseconds
 * @param refuseIfClosed throws if the store was closed
 */
export function memoryLeases(
  clock: () => number,
  refuseIfClosed: () => void,
  { leaseEnds, leaseReleased }: LeaseListener,
): MemoryLeases {
  const leases = new Map<string, Held>();
  let lastToken = 0;

  const granted = grantedLeases({
    refuseIfClosed,
    extend(extensions) {
      refuseIfClosed();
      const askedAt = performance.now();
      const now = clock();
      const ends = extensions.map(({ name, token, ttl }) => {
        const held = live(name);
        if (held?.token !== token) return "lost";
        held.expiresAt = now + ttl;
        leaseEnds(held.key, held.expiresAt);
        return held.expiresAt;
      });
      return { askedAt, ends };
    },
    release(name, token) {
      const held = live(name);
      if (held?.token !== token) return;
      leases.delete(name);
      leaseReleased(held.key);
    },
  });

  return {
    grant(key, options) {
      const { owner, ttl } = options;
      const name = keyName(key);
      const held = live(name);
      const askedAt = performance.now();
      const expiresAt = clock() + leaseTtl(ttl);
      if (held && held.owner !== owner) throw new LeaseHeldError(held.owner, held.expiresAt);
      const token = ++lastToken;
      leases.set(name, { key: { ...key }, owner, token, expiresAt });
      leaseEnds(key, expiresAt);
      return granted.add(name, options, { token, expiresAt, askedAt });
    },

    renew: granted.renew,

    check(key, lease) {
      const name = keyName(key);
      const held = live(name);
      if (lease && held?.token !== lease.token) throw granted.refused(name, lease.token);
      if (held && !lease) throw new LeaseHeldError(held.owner, held.expiresAt);
    },

    remove: (key) => void leases.delete(keyName(key)),
  };

  function live(name: string): Held | undefined {
    const held = leases.get(name);
    if (held && held.expiresAt > clock()) return held;
    leases.delete(name);
    return undefined;
  }
}

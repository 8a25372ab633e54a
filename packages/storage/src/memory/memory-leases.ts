import { leaseTtl } from "../adapter/lease-ttl.ts";
import { LeaseHeldError, LeaseLostError } from "../errors.ts";
import type { Key, Lease, LeaseOptions } from "../store.ts";

/** The leases of `memoryStore`. */
export interface MemoryLeases {
  /** @throws LeaseHeldError, RangeError */
  grant(key: Key, options: LeaseOptions): Lease;
  /** @throws LeaseHeldError, LeaseLostError if a writer with this lease, or without one, must not append now */
  check(key: Key, lease: Pick<Lease, "token"> | undefined): void;
  remove(key: Key): void;
}

interface Held {
  owner: string;
  token: number;
  expiresAt: number;
}

/**
 * @param clock Unix time in milliseconds
 * @param refuseIfClosed throws if the store was closed
 */
export function memoryLeases(clock: () => number, refuseIfClosed: () => void): MemoryLeases {
  const leases = new Map<string, Held>();
  let lastToken = 0;

  return {
    grant(key, { owner, ttl }) {
      const name = nameOf(key);
      const held = live(name);
      const granted: Held = { owner, token: lastToken + 1, expiresAt: clock() + leaseTtl(ttl) };
      if (held && held.owner !== owner) throw new LeaseHeldError(held.owner, held.expiresAt);
      lastToken = granted.token;
      leases.set(name, granted);
      const isCurrent = () => live(name) === granted;
      return {
        owner,
        token: granted.token,
        get expiresAt() {
          return granted.expiresAt;
        },
        async renew(again = ttl) {
          refuseIfClosed();
          const expiresAt = clock() + leaseTtl(again);
          if (!isCurrent()) throw new LeaseLostError(granted.token);
          granted.expiresAt = expiresAt;
        },
        async release() {
          if (isCurrent()) leases.delete(name);
        },
      };
    },

    check(key, lease) {
      const held = live(nameOf(key));
      if (lease && held?.token !== lease.token) throw new LeaseLostError(lease.token);
      if (held && !lease) throw new LeaseHeldError(held.owner, held.expiresAt);
    },

    remove: (key) => void leases.delete(nameOf(key)),
  };

  function live(name: string): Held | undefined {
    const held = leases.get(name);
    if (held && held.expiresAt > clock()) return held;
    leases.delete(name);
    return undefined;
  }
}

function nameOf({ conversation, user }: Key): string {
  return JSON.stringify([user ?? null, conversation]);
}

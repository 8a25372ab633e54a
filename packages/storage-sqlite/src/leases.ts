import {
  type GrantedLeases,
  grantedLeases,
  type Key,
  type Lease,
  LeaseHeldError,
  type LeaseOptions,
  leaseTtl,
} from "@cogency/storage";
import { damaged } from "./database/damaged.ts";
import type { Database } from "./database/database.ts";
import { keyTexts } from "./rows/names.ts";

export interface Leases extends Pick<GrantedLeases, "renew"> {
  /** @throws LeaseHeldError, RangeError */
  grant(key: Key, options: LeaseOptions): Promise<Lease>;
  /**
   * Must be called inside the transaction that appends.
   *
   * @throws LeaseHeldError, LeaseLostError if a writer with this lease, or without one, must not append now
   */
  check(user: string, name: string, lease: Pick<Lease, "token"> | undefined): void;
}

interface StoredLease {
  owner: string;
  token: number;
  expiresAt: number;
}

/** @param clock returns Unix time in milliseconds */
export function prepareLeases(
  { sqlite, path, isClosed, refuseIfClosed, write }: Database,
  clock: () => number,
): Leases {
  const findLease = sqlite.prepare(
    "SELECT token, owner, expires_at AS expiresAt FROM leases WHERE user = ? AND name = ? AND expires_at > ?",
  );
  const deleteEnded = sqlite.prepare("DELETE FROM leases WHERE expires_at <= ?");
  const deleteLease = sqlite.prepare("DELETE FROM leases WHERE token = ?");
  const addLease = sqlite.prepare(
    "INSERT INTO leases (user, name, owner, expires_at) VALUES (?, ?, ?, ?) RETURNING token",
  );
  const extendLease = sqlite.prepare("UPDATE leases SET expires_at = ? WHERE token = ? AND expires_at > ?");

  const granted = grantedLeases({
    refuseIfClosed,
    extend: (extensions) =>
      write(() => {
        const askedAt = performance.now();
        const now = clock();
        const ends = extensions.map(({ token, ttl }) => {
          const { changes } = extendLease.run(now + ttl, token, now);
          return Number(changes) === 0 ? "lost" : now + ttl;
        });
        return { askedAt, ends };
      }),
    release: (_, token) => (isClosed() ? undefined : write(() => deleteLease.run(token))),
  });

  return {
    async grant(key, options) {
      const { owner, ttl } = options;
      const { user, name } = keyTexts(key);
      const lasting = leaseTtl(ttl);
      const grant = await write(() => {
        const askedAt = performance.now();
        const now = clock();
        deleteEnded.run(now);
        const held = find(user, name, now);
        if (held && held.owner !== owner) throw new LeaseHeldError(held.owner, held.expiresAt);
        if (held) deleteLease.run(held.token);
        const expiresAt = now + lasting;
        const token = Number(addLease.get(user, name, JSON.stringify(owner), expiresAt)?.token);
        return { token, expiresAt, askedAt };
      });
      return granted.add(joined(user, name), options, grant);
    },

    renew: granted.renew,

    check(user, name, lease) {
      const held = find(user, name, clock());
      if (lease && held?.token !== lease.token) throw granted.refused(joined(user, name), lease.token);
      if (held && !lease) throw new LeaseHeldError(held.owner, held.expiresAt);
    },
  };

  function find(user: string, name: string, now: number): StoredLease | undefined {
    const row = findLease.get(user, name, now);
    if (!row) return undefined;
    return { owner: ownerOf(row.owner), token: Number(row.token), expiresAt: Number(row.expiresAt) };
  }

  function ownerOf(text: unknown): string {
    try {
      return JSON.parse(String(text)) as string;
    } catch {
      throw damaged(path, "the owner of a lease is not JSON");
    }
  }
}

/** Two keys never join to the same text: JSON text contains no line break. */
function joined(user: string, name: string): string {
  return `${user}\n${name}`;
}

import { type Key, type Lease, LeaseHeldError, LeaseLostError, type LeaseOptions, leaseTtl } from "@cogency/storage";
import { damaged } from "./database/damaged.ts";
import type { Database } from "./database/database.ts";
import { keyTexts } from "./rows/names.ts";

export interface Leases {
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

  return {
    async grant(key, { owner, ttl }) {
      const { user, name } = keyTexts(key);
      const lasting = leaseTtl(ttl);
      let { token, expiresAt } = await write(() => {
        const now = clock();
        deleteEnded.run(now);
        const held = find(user, name, now);
        if (held && held.owner !== owner) throw new LeaseHeldError(held.owner, held.expiresAt);
        if (held) deleteLease.run(held.token);
        const until = now + lasting;
        return { token: Number(addLease.get(user, name, JSON.stringify(owner), until)?.token), expiresAt: until };
      });
      return {
        owner,
        token,
        get expiresAt() {
          return expiresAt;
        },
        async renew(again = ttl) {
          refuseIfClosed();
          const longer = leaseTtl(again);
          expiresAt = await write(() => {
            const now = clock();
            const { changes } = extendLease.run(now + longer, token, now);
            if (Number(changes) === 0) throw new LeaseLostError(token);
            return now + longer;
          });
        },
        async release() {
          if (isClosed()) return;
          await write(() => deleteLease.run(token));
        },
      };
    },

    check(user, name, lease) {
      const held = find(user, name, clock());
      if (lease && held?.token !== lease.token) throw new LeaseLostError(lease.token);
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

import { type Key, type Lease, LeaseHeldError } from "@cogency/storage";
import { type GrantedLeases, grantedLeases, type LeaseOptions, leaseTtl } from "@cogency/storage/adapter";
import { damaged } from "./database/damaged.ts";
import type { Database } from "./database/database.ts";
import { isOwnerGone } from "./lease-owner.ts";
import { atOnce } from "./rows/due-time.ts";
import { keyTexts } from "./rows/names.ts";
import { type Due, dueAt } from "./wakes/keys.ts";

export interface Leases extends Pick<GrantedLeases, "renew"> {
  /**
   * Takes over a lease of the same owner, and of a process that is known to have ended.
   *
   * @throws LeaseHeldError, RangeError
   */
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
  { sqlite, path, closed, refuseIfClosed, write }: Database,
  due: Due,
  clock: () => number,
): Leases {
  const findLease = sqlite.prepare(
    "SELECT token, owner, expires_at AS expiresAt FROM leases WHERE user = ? AND name = ? AND expires_at > ?",
  );
  const deleteEnded = sqlite.prepare("DELETE FROM leases WHERE expires_at <= ?");
  const deleteLease = sqlite.prepare("DELETE FROM leases WHERE token = ?");
  const releaseLease = sqlite.prepare("DELETE FROM leases WHERE token = ? AND expires_at > ? RETURNING user, name");
  const addLease = sqlite.prepare(
    "INSERT INTO leases (user, name, owner, expires_at) VALUES (?, ?, ?, ?) RETURNING token",
  );
  const extendLease = sqlite.prepare("UPDATE leases SET expires_at = ? WHERE token = ? AND expires_at > ?");
  // One statement: a process renews thousands of leases in one transaction.
  const setLaterEnd = sqlite.prepare(`
    UPDATE keys SET lease_at = $end, due_at = ${dueAt("$end")}
    WHERE (user, name) = (SELECT user, name FROM leases WHERE token = $token) AND lease_at <= $end`);
  const findKey = sqlite.prepare("SELECT user, name FROM leases WHERE token = ?");
  const setEnd = sqlite.prepare("UPDATE keys SET lease_at = ? WHERE user = ? AND name = ? RETURNING id");
  const endDefer = sqlite.prepare(`
    UPDATE keys SET lease_at = NULL, held_at = min(held_at, ?) WHERE user = ? AND name = ? RETURNING id`);

  const granted = grantedLeases({
    refuseIfClosed,
    extend: (extensions) =>
      write(() => {
        const askedAt = performance.now();
        const now = clock();
        const ends = extensions.map(({ token, ttl }) => {
          const end = now + ttl;
          if (Number(extendLease.run(end, token, now).changes) === 0) return "lost";
          if (Number(setLaterEnd.run({ end, token }).changes) === 0) endsEarlier(token, end);
          return end;
        });
        return { askedAt, ends };
      }),
    release: (_, token) =>
      closed.aborted
        ? undefined
        : write(() => {
            const now = clock();
            const row = releaseLease.get(token, now);
            if (row) update(endDefer.get(atOnce(now), String(row.user), String(row.name)));
          }),
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
        if (held && held.owner !== owner && !isOwnerGone(held.owner))
          throw new LeaseHeldError(held.owner, held.expiresAt);
        if (held) deleteLease.run(held.token);
        const expiresAt = now + lasting;
        const token = Number(addLease.get(user, name, JSON.stringify(owner), expiresAt)?.token);
        leaseEnds(user, name, expiresAt);
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

  /** The renewed lease ends earlier than before, or its key was never written. */
  function endsEarlier(token: number, end: number): void {
    const key = findKey.get(token);
    if (key) leaseEnds(String(key.user), String(key.name), end);
  }

  /** The end of a lease makes a written key due. */
  function leaseEnds(user: string, name: string, at: number): void {
    update(setEnd.get(at, user, name));
  }

  function update(key: Record<string, unknown> | undefined): void {
    if (key) due.update(Number(key.id));
  }

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

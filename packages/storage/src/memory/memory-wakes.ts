import { createChanges } from "../adapter/changes.ts";
import { claimLimits, finiteTime, leaseTtl } from "../adapter/checked-numbers.ts";
import { watchDue } from "../adapter/watch-due.ts";
import type { WakeScope } from "../inbox.ts";
import type { Key } from "../key.ts";
import type { Claim, Deferred, Parked, StandingClaim, Wakes } from "../wakes.ts";
import { keyName } from "./keyed-changes.ts";
import type { MemoryInbox } from "./memory-inbox.ts";
import type { LeaseListener } from "./memory-leases.ts";

/** What is due in `memoryStore`. A `name` is that of a key (`keyName`). */
export interface MemoryWakes extends Wakes, LeaseListener {
  /** The key was written: the first time, its scope is fixed. */
  written(key: Key, scope: WakeScope): void;
  /** The inbox of the conversation has changed. */
  inboxChanged(key: Key): void;
  /** Returns whether the key was written. */
  remove(name: string): boolean;
  /** Wakes all who watch. */
  close(): void;
}

/** One conversation. It is due at the earliest time of all that is here and of its inbox. */
interface Due {
  readonly key: Key;
  /** The times of the timers by their ids; undefined while there never was one. */
  timers: Map<string, number> | undefined;
  /** The end of the last lease, unless it was released, or claimed when it had ended. */
  leaseEnd: number | undefined;
  /** What was claimed and is not done. A claim takes out everything that the conversation is due for. */
  held: { reasons: ReadonlySet<string>; at: number } | undefined;
  claim: { token: number; owner: string; expiresAt: number } | undefined;
  /** Claims that have not ended in `done` or `defer`. */
  attempts: number;
  parked: { reason: string; parkedAt: number } | undefined;
}

/**
 * @param clock Unix time in milliseconds
 * @param refuseIfClosed throws if the store was closed
 */
export function memoryWakes(clock: () => number, inbox: MemoryInbox, refuseIfClosed: () => void): MemoryWakes {
  /** The scopes of all keys that were written. */
  const scopes = new Map<string, WakeScope>();
  /** Only conversations that something is to come of. */
  const dues = new Map<string, Due>();
  const changes = createChanges();
  let lastToken = 0;

  return {
    written,

    inboxChanged(key) {
      dueOf(key);
      changed(keyName(key));
    },

    leaseEnds(key, at) {
      dueOf(key).leaseEnd = at;
      changes.announce();
    },

    leaseReleased(key) {
      const due = dueOf(key);
      const now = clock();
      due.leaseEnd = undefined;
      if (due.held && !isClaimed(due, now)) due.held.at = Math.min(due.held.at, now);
      changed(keyName(key));
    },

    remove(name) {
      dues.delete(name);
      const existed = scopes.delete(name);
      changes.announce();
      return existed;
    },

    close: changes.announce,

    async wake(key, { id, at, scope }) {
      refuseIfClosed();
      finiteTime("at", at);
      written(key, scope);
      const due = dueOf(key);
      due.timers ??= new Map();
      due.timers.set(id, at);
      changes.announce();
    },

    async claim(options) {
      refuseIfClosed();
      const { limit, ttl, perUser } = claimLimits(options);
      const { owner, scope } = options;
      const now = clock();
      const claims = claimsByUser(now);
      const turns = [...dueByUser(scope, now)].flatMap(([user, found]) =>
        found.map(({ due, at }, index) => ({ due, at, turn: (claims.get(user) ?? 0) + index })),
      );
      const claimed = turns
        .filter(({ turn }) => turn < perUser)
        .sort((one, other) => one.turn - other.turn || one.at - other.at)
        .slice(0, limit)
        .map(({ due }) => claim(due, owner, now, ttl));
      if (claimed.length > 0) changes.announce();
      return claimed;
    },

    done: async (claim) =>
      settle(claim, (due) => {
        due.held = undefined;
        due.attempts = 0;
      }),

    async defer(claim, at) {
      refuseIfClosed();
      finiteTime("at", at);
      return settle(claim, (due) => {
        if (due.held) due.held.at = at;
        due.attempts -= 1;
      });
    },

    async renewClaim(claim, ttl) {
      refuseIfClosed();
      const expiresAt = clock() + leaseTtl(ttl);
      const due = standing(claim);
      if (!due?.claim) return false;
      due.claim.expiresAt = expiresAt;
      if (due.held) due.held.at = expiresAt;
      changes.announce();
      return true;
    },

    park: async (claim, reason) =>
      settle(claim, (due) => {
        due.parked = { reason, parkedAt: clock() };
      }),

    async unpark(key) {
      refuseIfClosed();
      const due = dues.get(keyName(key));
      if (!due?.parked) return false;
      due.parked = undefined;
      due.attempts = 0;
      if (due.held) due.held.at = clock();
      changes.announce();
      return true;
    },

    async parked({ scope } = {}) {
      refuseIfClosed();
      const found: Parked[] = [];
      for (const [name, { key, parked }] of dues) {
        if (parked && scopes.get(name) === scope) found.push({ key: { ...key }, ...parked });
      }
      return found.sort((one, other) => one.parkedAt - other.parkedAt).slice(0, mostListed);
    },

    async nextWake({ scope } = {}) {
      refuseIfClosed();
      return earliest(claimableTimes(scope, clock()));
    },

    async queue({ scope } = {}) {
      refuseIfClosed();
      const now = clock();
      const dueTimes = claimableTimes(scope, now).filter((time) => time <= now);
      const ofScope = [...dues].flatMap(([name, due]) => (scopes.get(name) === scope ? [due] : []));
      const claims = ofScope.flatMap(({ key, claim, attempts, held }): StandingClaim[] => {
        if (!claim || claim.expiresAt <= now) return [];
        const { owner, expiresAt } = claim;
        return [{ key: { ...key }, owner, reasons: [...(held?.reasons ?? [])].sort(), attempts, expiresAt }];
      });
      const deferred = ofScope.flatMap((due): Deferred[] => {
        const at = due.held && !isClaimed(due, now) ? claimableAt(keyName(due.key), due, now) : undefined;
        return at !== undefined && at > now ? [{ key: { ...due.key }, at }] : [];
      });
      return {
        now,
        due: dueTimes.length,
        dueSince: earliest(dueTimes),
        parked: ofScope.filter(({ parked }) => parked).length,
        claims: claims.sort((one, other) => one.expiresAt - other.expiresAt).slice(0, mostListed),
        deferred: deferred.sort((one, other) => one.at - other.at).slice(0, mostListed),
      };
    },

    watchWakes({ scope, signal } = {}) {
      const look = () => {
        refuseIfClosed();
        const now = clock();
        const times = claimableTimes(scope, now);
        const next = earliest(times.filter((time) => time > now));
        return { isDue: times.some((time) => time <= now), next: next === undefined ? undefined : next - now };
      };
      return watchDue({ look, change: changes.next }, { signal });
    },
  };

  function written(key: Key, scope: WakeScope): void {
    const name = keyName(key);
    if (scopes.has(name)) return;
    scopes.set(name, scope);
    changes.announce();
  }

  function dueOf({ conversation, user }: Key): Due {
    const key: Key = user === undefined ? { conversation } : { conversation, user };
    const name = keyName(key);
    const known = dues.get(name);
    if (known) return known;
    const due: Due = {
      key,
      timers: undefined,
      leaseEnd: undefined,
      held: undefined,
      claim: undefined,
      attempts: 0,
      parked: undefined,
    };
    dues.set(name, due);
    return due;
  }

  /** Forgets the conversation if nothing is to come of it. */
  function changed(name: string): void {
    const due = dues.get(name);
    if (due && isIdle(due) && !inbox.hasUnseen(name)) dues.delete(name);
    changes.announce();
  }

  /** All times at which the conversation becomes due, whether it is claimed or not. */
  function timesOf({ key, timers, leaseEnd, held }: Due): (number | undefined)[] {
    return [inbox.dueAt(keyName(key)), leaseEnd, held?.at, ...(timers?.values() ?? [])];
  }

  /** When a conversation can be claimed; undefined if that is not known. */
  function claimableAt(name: string, due: Due, now: number): number | undefined {
    if (due.parked || !scopes.has(name)) return undefined;
    return isClaimed(due, now) ? due.claim?.expiresAt : earliest(timesOf(due));
  }

  function claimableTimes(scope: WakeScope, now: number): number[] {
    const times: number[] = [];
    for (const [name, due] of dues) {
      const at = scopes.get(name) === scope ? claimableAt(name, due, now) : undefined;
      if (at !== undefined) times.push(at);
    }
    return times;
  }

  /** What each user has in the scope that can be claimed, the longest due first. */
  function dueByUser(scope: WakeScope, now: number): Map<string | undefined, { due: Due; at: number }[]> {
    const users = new Map<string | undefined, { due: Due; at: number }[]>();
    for (const [name, due] of dues) {
      const at = scopes.get(name) === scope ? claimableAt(name, due, now) : undefined;
      if (at === undefined || at > now) continue;
      const found = users.get(due.key.user) ?? [];
      found.push({ due, at });
      users.set(due.key.user, found);
    }
    for (const found of users.values()) found.sort((one, other) => one.at - other.at);
    return users;
  }

  function claimsByUser(now: number): Map<string | undefined, number> {
    const counts = new Map<string | undefined, number>();
    for (const due of dues.values()) {
      const { user } = due.key;
      if (isClaimed(due, now)) counts.set(user, (counts.get(user) ?? 0) + 1);
    }
    return counts;
  }

  function claim(due: Due, owner: string, now: number, ttl: number): Claim {
    const name = keyName(due.key);
    const reasons = new Set(due.held?.reasons);
    if ((inbox.dueAt(name) ?? Number.POSITIVE_INFINITY) <= now) reasons.add("inbox");
    inbox.see(name);
    if (due.leaseEnd !== undefined && due.leaseEnd <= now) {
      reasons.add("lease");
      due.leaseEnd = undefined;
    }
    for (const [id, at] of due.timers ?? []) {
      if (at > now) continue;
      reasons.add(`timer:${id}`);
      due.timers?.delete(id);
    }
    const token = ++lastToken;
    const expiresAt = now + ttl;
    due.attempts += 1;
    due.held = { reasons, at: expiresAt };
    due.claim = { token, owner, expiresAt };
    const key = { ...due.key };
    return { key, owner, token, reasons: [...reasons].sort(), attempts: due.attempts, claimedAt: now, expiresAt };
  }

  /** The conversation, if the claim has not ended. */
  function standing({ key, token }: Claim): Due | undefined {
    const due = dues.get(keyName(key));
    return due?.claim?.token === token && isClaimed(due, clock()) ? due : undefined;
  }

  function settle(claim: Claim, change: (due: Due) => void): boolean {
    refuseIfClosed();
    const due = standing(claim);
    if (!due) return false;
    due.claim = undefined;
    change(due);
    changed(keyName(claim.key));
    return true;
  }
}

const mostListed = 1_000;

/** Whether nothing but its inbox may make the conversation due. */
function isIdle({ parked, held, leaseEnd, timers }: Due): boolean {
  return !parked && !held && leaseEnd === undefined && !timers?.size;
}

function isClaimed({ claim }: Due, now: number): boolean {
  return claim !== undefined && claim.expiresAt > now;
}

function earliest(times: readonly (number | undefined)[]): number | undefined {
  let first: number | undefined;
  for (const time of times) if (time !== undefined && time < (first ?? Number.POSITIVE_INFINITY)) first = time;
  return first;
}

import { describe } from "vitest";
import type { ClaimOptions } from "../src/adapter.ts";
import type { Claim, Store } from "../src/index.ts";
import { leases } from "./support/changed-leases.ts";
import { type Defect, notice } from "./support/notice.ts";

const hour = 3_600_000;

const defects: Defect[] = [
  [
    "lets several owners claim the same conversation",
    /one of many owners that ask at once/,
    claiming((store) => async (options) => {
      const claims = await store.claim(options);
      for (const claim of claims) await store.defer(claim, 0);
      return claims;
    }),
  ],
  [
    "forgets what was claimed if its owner does nothing",
    /due again at the end of the claim/,
    claiming((store) => async (options) => {
      const claims = await store.claim(options);
      for (const claim of claims) await store.done(claim);
      return claims;
    }),
  ],
  [
    "never ends a claim by time",
    /due again at the end of the claim/,
    claiming((store) => (options) => store.claim({ ...options, ttl: hour })),
  ],
  [
    "counts no attempts",
    /due again at the end of the claim/,
    claiming((store) => async (options) => (await store.claim(options)).map((claim) => ({ ...claim, attempts: 1 }))),
  ],
  ["forgets that a claim was renewed", /a claim that is renewed/, () => ({ renewClaim: async () => true })],
  [
    "renews a claim that has ended",
    /claim that has ended can no longer be settled/,
    (store) => ({ renewClaim: async (claim, ttl) => (await store.renewClaim(claim, ttl)) || true }),
  ],
  [
    "counts a renewal as an attempt",
    /a claim that is renewed/,
    (store) => ({
      async renewClaim(claim, ttl) {
        if (!(await store.defer(claim, 0))) return false;
        await store.claim({ owner: claim.owner, limit: 1, ttl });
        return true;
      },
    }),
  ],
  [
    "settles a claim that has ended",
    /claim that has ended can no longer be settled/,
    (store) => ({ done: async (claim) => (await store.done(claim)) || true }),
  ],
  [
    "ends the claim of another owner",
    /claim that has ended can no longer be settled/,
    (store) => {
      const current = new Map<string, Claim>();
      return {
        async claim(options) {
          const claims = await store.claim(options);
          for (const claim of claims) current.set(claim.key.conversation, claim);
          return claims;
        },
        done: (claim) => store.done(current.get(claim.key.conversation) ?? claim),
      };
    },
  ],
  [
    "forgets what came since the claim",
    /stays due for what came since/,
    (store) => ({
      async done(claim) {
        const isDone = await store.done(claim);
        for (const later of await store.claim({ owner: "it", limit: 9, ttl: hour })) await store.done(later);
        return isDone;
      },
    }),
  ],
  [
    "keeps what a conversation was due for after `done`",
    /done removes what the conversation was due for/,
    (store) => ({ done: (claim) => store.defer(claim, 0) }),
  ],
  [
    "makes a conversation due again for a message that was left",
    /was left there makes nothing due/,
    (store) => ({
      async done(claim) {
        const isDone = await store.done(claim);
        if ((await store.inbox(claim.key)).length > 0) await store.wake(claim.key, { id: "inbox", at: 0 });
        return isDone;
      },
    }),
  ],
  [
    "counts a defer as an attempt",
    /defer makes the conversation due again/,
    (store) => {
      let defers = 0;
      return {
        claim: async (options) =>
          (await store.claim(options)).map((claim) => ({ ...claim, attempts: claim.attempts + defers })),
        defer(claim, at) {
          defers += 1;
          return store.defer(claim, at);
        },
      };
    },
  ],
  [
    "defers until the time even if the lease is released",
    /release of its lease ends a defer/,
    (store) => ({
      async defer(claim, at) {
        await store.wake(claim.key, { id: "deferred", at });
        return store.done(claim);
      },
    }),
  ],
  [
    "makes a conversation due by a release",
    /nothing is due in a new store/,
    (store) => ({
      async lease(key, options) {
        const lease = await store.lease(key, options);
        const release = lease.release.bind(lease);
        lease.release = async () => {
          await release();
          await store.wake(key, { id: "released", at: 0 });
        };
        return lease;
      },
    }),
  ],
  [
    "cannot tell a release from the end of a lease",
    /nothing is due in a new store/,
    leases((lease) => ({ release: () => lease.renew(1).then(pause) })),
  ],
  [
    "does not notice the end of a lease",
    /end of a lease that nobody released/,
    claiming((store) => async (options) => {
      const claims = await store.claim(options);
      return claims.filter(({ reasons }) => !reasons.includes("lease"));
    }),
  ],
  [
    "makes a conversation due for a message that was taken",
    /until it is taken/,
    (store) => ({
      async append(key, events, options = {}) {
        const last = await store.append(key, events, options);
        if (options.takes?.length) await store.wake(key, { id: "inbox", at: 0 });
        return last;
      },
    }),
  ],
  [
    "makes a conversation due by an append",
    /nothing is due in a new store/,
    (store) => ({
      async append(key, events, options) {
        const last = await store.append(key, events, options);
        await store.wake(key, { id: "append", at: 0 });
        return last;
      },
    }),
  ],
  [
    "adds a timer instead of moving it",
    /moves that timer/,
    (store) => {
      let wakes = 0;
      return { wake: (key, options) => store.wake(key, { ...options, id: `${options.id} ${++wakes}` }) };
    },
  ],
  [
    "gives one reason only",
    /has all reasons/,
    claiming(
      (store) => async (options) =>
        (await store.claim(options)).map((claim) => ({ ...claim, reasons: claim.reasons.slice(0, 1) })),
    ),
  ],
  [
    "claims what is not due yet",
    /wake makes a conversation due at its time/,
    (store) => ({ wake: (key, options) => store.wake(key, { ...options, at: 0 }) }),
  ],
  [
    "lets one user go first",
    /of each user in turn/,
    claiming((store) => async (options) => {
      const claims = await store.claim({ ...options, limit: 1_000 });
      claims.sort((one, other) => (one.key.user ?? "").localeCompare(other.key.user ?? ""));
      for (const claim of claims.splice(options.limit)) await store.defer(claim, 0);
      return claims;
    }),
  ],
  [
    "does not count earlier claims of a user",
    /users with the fewest claims/,
    (store) => {
      const first = new Map<number, Claim>();
      return {
        async claim(options) {
          const claims = await store.claim(options);
          // With the claim done, the user seems to have none.
          for (const claim of claims) {
            first.set(claim.token, claim);
            await store.done(claim);
          }
          return claims;
        },
        done: async ({ token }) => first.delete(token),
      };
    },
  ],
  [
    "ignores `perUser`",
    /perUser/,
    claiming(
      (store) =>
        ({ perUser: _, ...options }) =>
          store.claim(options),
    ),
  ],
  [
    "counts the claims of a user by owner",
    /perUser/,
    claiming((store) => {
      let owner = "";
      return ({ perUser, ...options }) => {
        const isSame = options.owner === owner;
        owner = options.owner;
        return store.claim(isSame && perUser !== undefined ? { ...options, perUser } : options);
      };
    }),
  ],
  [
    "claims conversations of any scope",
    /belongs to the scope of its first write/,
    (store) => ({
      append: (key, events, { scope: _, ...options } = {}) => store.append(key, events, options),
      post: (key, message, { scope: _, ...options }) => store.post(key, message, options),
      wake: (key, { id, at }) => store.wake(key, { id, at }),
      claim: ({ scope: _, ...options }) => store.claim(options),
    }),
  ],
  [
    "takes the empty scope for none",
    /belongs to the scope of its first write/,
    (store) => ({
      append: (key, events, options = {}) =>
        store.append(key, events, { ...options, scope: options.scope || undefined }),
      post: (key, message, options) => store.post(key, message, { ...options, scope: options.scope || undefined }),
      wake: (key, options) => store.wake(key, { ...options, scope: options.scope || undefined }),
      claim: (options) => store.claim({ ...options, scope: options.scope || undefined }),
    }),
  ],
  [
    "lets others claim a parked conversation when something comes",
    /park keeps the conversation from being claimed/,
    (store) => ({ park: (claim) => store.defer(claim, 1e15) }),
  ],
  [
    "forgets who waits for the next try",
    /queue tells which conversations wait/,
    (store) => ({ queue: async (options) => ({ ...(await store.queue(options)), deferred: [] }) }),
  ],
  [
    "keeps the attempts at `unpark`",
    /unpark makes the conversation due|until unpark/,
    (store) => {
      let parked = 0;
      return {
        park(claim, reason) {
          parked += claim.attempts;
          return store.park(claim, reason);
        },
        claim: async (options) =>
          (await store.claim(options)).map((claim) => ({ ...claim, attempts: claim.attempts + parked })),
      };
    },
  ],
  [
    "lists what is parked in any order",
    /the longest parked first/,
    (store) => ({
      parked: async (options) => (await store.parked(options)).reverse(),
    }),
  ],
  [
    "does not count the end of a claim for the next wake",
    /nextWake is the earliest/,
    (store) => ({
      async nextWake(options) {
        const claims = await store.claim({ owner: "it", limit: 1_000, ttl: hour, ...options });
        for (const claim of claims) await store.defer(claim, 0);
        return claims.length > 0 ? 0 : undefined;
      },
    }),
  ],
  [
    "keeps the wakes of a deleted conversation",
    /delete removes/,
    (store) => ({
      async delete(key) {
        const existed = await store.delete(key);
        await store.wake(key, { id: "left", at: 1e15 });
        return existed;
      },
    }),
  ],
];

describe("the kit notices a store that", () => notice(defects));

function claiming(claim: (store: Store) => (options: ClaimOptions) => Promise<Claim[]>) {
  return (store: Store): Partial<Store> => ({ claim: claim(store) });
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}

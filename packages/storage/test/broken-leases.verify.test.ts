import { describe } from "vitest";
import { type Lease, LeaseHeldError, type Store } from "../src/index.ts";
import { type MemoryLeases, memoryLeases } from "../src/memory/memory-leases.ts";
import { changed, leases } from "./support/changed-leases.ts";
import { type Defect, notice } from "./support/notice.ts";

const defects: Defect[] = [
  [
    "grants a lease to every owner",
    /refuses a second owner/,
    leasing((leases) => ({
      grant(key, options) {
        leases.remove(key);
        return leases.grant(key, options);
      },
    })),
  ],
  [
    "refuses the same owner too",
    /same owner takes a lease over/,
    leasing((leases) => ({ grant: (key, options) => leases.grant(key, { ...options, owner: `${Math.random()}` }) })),
  ],
  [
    "reports neither the owner nor the end of the current lease",
    /with the owner and the end/,
    leasing((leases) => ({
      grant: (key, options) => renaming(() => leases.grant(key, options)),
    })),
  ],
  [
    "accepts appends without a lease",
    /append without a lease is refused/,
    leasing((leases) => ({ check: (key, lease) => lease && leases.check(key, lease) })),
  ],
  [
    "accepts any token while a lease is held",
    /a token that was never granted/,
    leasing((leases) => ({ check: (key, lease) => lease ?? leases.check(key, lease) })),
  ],
  [
    "accepts a released lease because no other exists",
    /a released lease cannot append/,
    leasing((leases) => ({
      check(key, lease) {
        if (isHeld(leases, key)) leases.check(key, lease);
      },
    })),
  ],
  [
    "accepts an expired lease because no other exists",
    /an expired lease cannot append, even/,
    leasing((leases) => ({
      check(key, lease) {
        if (isHeld(leases, key)) leases.check(key, lease);
      },
    })),
  ],
  [
    "counts tokens per conversation",
    /a higher token every time/,
    leasing((leases) => {
      const counts = new Map<string, number>();
      return {
        grant(key, options) {
          const lease = leases.grant(key, options);
          const token = (counts.get(key.conversation) ?? 0) + 1;
          counts.set(key.conversation, token);
          return changed(lease, { token });
        },
      };
    }),
  ],
  [
    "starts tokens again after a delete",
    /a higher token every time/,
    (store) => {
      let leases = memoryLeases(Date.now, () => {}, unheard);
      return {
        lease: async (key, options) => leases.grant(key, options),
        async delete(key) {
          leases = memoryLeases(Date.now, () => {}, unheard);
          return store.delete(key);
        },
      };
    },
  ],
  ["keeps the lease of a deleted conversation", /delete ends the lease of the/, leasing(() => ({ remove: () => {} }))],
  [
    "keeps the lease of an unwritten key after its delete",
    /delete ends a lease of a key/,
    (store) => ({ delete: async (key) => (await store.load(key)).length > 0 && store.delete(key) }),
  ],
  ["renews without moving the end", /renew extends a lease/, leases(() => ({ renew: async () => {} }))],
  [
    "always renews by the first `ttl`",
    /renew extends a lease|renew can make/,
    leases((lease) => ({ renew: () => lease.renew() })),
  ],
  [
    "renews a lease that was taken over",
    /same owner takes a lease over/,
    leases((lease) => ({ renew: () => lease.renew().catch(() => {}) })),
  ],
  ["does not release", /release lets the next owner in/, leases(() => ({ release: async () => {} }))],
  [
    "fails to release a lease that has ended",
    /may be called again/,
    leases((lease) => ({
      async release() {
        await lease.renew();
        await lease.release();
      },
    })),
  ],
  [
    "releases the lease of another owner",
    /never ends the lease of another/,
    (store) => {
      const current = new Map<string, Lease>();
      return {
        async lease(key, options) {
          const lease = await store.lease(key, options);
          current.set(key.conversation, lease);
          return changed(lease, { release: async () => current.get(key.conversation)?.release() });
        },
      };
    },
  ],
  [
    "never lets a lease expire",
    /a lease expires by itself/,
    (store) => ({ lease: (key, { owner }) => store.lease(key, { owner, ttl: 1e9 }) }),
  ],
  [
    "leases a conversation for all users together",
    /lease is separate for every user/,
    (store) => ({ lease: ({ conversation }, options) => store.lease({ conversation }, options) }),
  ],
  [
    "accepts a `ttl` of 0",
    /accept only a `ttl` above 0/,
    (store) => ({ lease: (key, { owner, ttl }) => store.lease(key, { owner, ttl: ttl || 1_000 }) }),
  ],
  ["reports a wrong end of the lease", /refuses a second owner/, leases(() => ({ expiresAt: 1_000 }))],
  [
    "writes something when a key is leased",
    /writes nothing/,
    (store) => ({
      async lease(key, options) {
        await store.append(key, [{ type: "cancelled", timestamp: 0 }]);
        return store.lease(key, options);
      },
    }),
  ],
  ["checks the lease before the batch id", /first result, also without the lease/, leasing(() => ({}))],
  [
    "reports a conflict before a lost lease",
    /a lost lease before a conflict/,
    (store) => ({
      async append(key, events, options = {}) {
        if (options.expected === 9) await store.append({ ...key, user: "nobody" }, events, { expected: 9 });
        return store.append(key, events, options);
      },
    }),
  ],
  [
    "uses up the id of a batch that is refused for its lease",
    /its id can be used/,
    (store) => {
      const refused = new Set<string | undefined>();
      return {
        append: (key, events, options) =>
          refused.has(options?.batch)
            ? Promise.resolve(0)
            : store.append(key, events, options).catch((error: unknown) => {
                refused.add(options?.batch);
                throw error;
              }),
      };
    },
  ],
];

describe("the kit notices a store that", () => notice(defects));

/** A store whose leases are changed. */
function leasing(change: (leases: MemoryLeases) => Partial<MemoryLeases>) {
  return (store: Store): Partial<Store> => {
    const honest = memoryLeases(Date.now, () => {}, unheard);
    const leases = { ...honest, ...change(honest) };
    return {
      async append(key, events, { lease, ...options } = {}) {
        leases.check(key, lease);
        return store.append(key, events, options);
      },
      lease: async (key, options) => leases.grant(key, options),
      renew: leases.renew,
      async delete(key) {
        leases.remove(key);
        return store.delete(key);
      },
    };
  };
}

/** No case of leases asks what is due. */
const unheard = { leaseEnds() {}, leaseReleased() {} };

function isHeld(leases: MemoryLeases, key: Parameters<MemoryLeases["check"]>[0]): boolean {
  try {
    leases.check(key, undefined);
    return false;
  } catch {
    return true;
  }
}

function renaming<Value>(grant: () => Value): Value {
  try {
    return grant();
  } catch (error) {
    throw error instanceof LeaseHeldError ? new LeaseHeldError("somebody", 0) : error;
  }
}

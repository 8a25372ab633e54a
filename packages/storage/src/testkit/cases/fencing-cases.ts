import { assert, assertEqual, eventually } from "@cogency/protocol/testkit";
import type { Key } from "../../key.ts";
import type { Lease, Store } from "../../store.ts";
import { assertRejects } from "../assert-rejects.ts";
import type { Case } from "../case.ts";
import { key, remarks, said } from "../samples/events.ts";
import { hour } from "../samples/times.ts";

/** A lease that is no longer the current one of its key can do nothing. */
export const fencingCases: Case[] = [
  {
    name: "append without a lease is refused while another writer holds one, and the error names the owner",
    async check({ store }) {
      await store.append(key, remarks(1));
      const lease = await store.lease(key, { owner: "one", ttl: hour });
      const refusal = await assertRejects(store.append(key, remarks(1)), "lease_held", "an append without the lease");
      assertEqual([refusal.owner, refusal.expiresAt], ["one", lease.expiresAt], "what the refusal says");
      await assertRejects(store.append(key, []), "lease_held", "an empty batch");
      assertEqual((await store.load(key)).length, 1, "the number of events");
    },
  },
  {
    name: "an expired lease cannot append, even if no other lease exists",
    async check({ store, patience }) {
      const lease = await store.lease(key, { owner: "one", ttl: 60 });
      const refusal = await whenLost(store, lease, patience);
      assertEqual(refusal.token, lease.token, "the token that the refusal names");
      assertEqual((await store.append(key, remarks(1))) > 0, true, "whether an append without a lease is let in");
      const length = (await store.load(key)).length;
      for (let time = 0; time < 3; time++) await isFenced(store, lease, "the lease that ran out");
      assertEqual((await store.load(key)).length, length, "the number of events");
    },
  },
  {
    name: "an expired lease cannot append, renew or end the lease of the next owner",
    async check({ store, patience }) {
      const old = await store.lease(key, { owner: "one", ttl: 60 });
      await whenLost(store, old, patience);
      const lease = await store.lease(key, { owner: "two", ttl: hour });
      await isFenced(store, old, "the lease that ran out");
      await assertRejects(old.renew(hour), "lease_lost", "renewing it");
      await old.release();
      const length = (await store.load(key)).length;
      assertEqual(await store.append(key, remarks(2), { lease }), length + 2, "an append of the new owner");
    },
  },
  {
    name: "the same owner takes a lease over, and the earlier lease is lost",
    async check({ store }) {
      const old = await store.lease(key, { owner: "one", ttl: hour });
      const lease = await store.lease(key, { owner: "one", ttl: hour });
      assert(lease.token > old.token, `Token ${lease.token} must be above ${old.token}.`);
      await isFenced(store, old, "the lease before");
      await assertRejects(old.renew(), "lease_lost", "renewing the lease before");
      await old.release();
      assertEqual(await store.append(key, remarks(1), { lease }), 1, "an append with the new lease");
    },
  },
  {
    name: "a released lease cannot append",
    async check({ store }) {
      const lease = await store.lease(key, { owner: "one", ttl: hour });
      await store.append(key, remarks(1), { lease });
      await lease.release();
      await isFenced(store, lease, "the released lease");
      const next = await store.lease(key, { owner: "one", ttl: hour });
      await isFenced(store, lease, "the released lease, while the same owner has a new one,");
      assertEqual(await store.append(key, remarks(1), { lease: next }), 2, "an append with the new one");
    },
  },
  {
    name: "delete ends the lease of the conversation, also that of another owner",
    async check({ store }) {
      await store.append(key, remarks(1));
      const lease = await store.lease(key, { owner: "one", ttl: hour });
      assertEqual(await store.delete(key), true, "deleting the conversation");
      await isFenced(store, lease, "the lease of what was deleted");
      await assertRejects(lease.renew(), "lease_lost", "renewing it");
      const next = await store.lease(key, { owner: "two", ttl: hour });
      await lease.release();
      await isFenced(store, lease, "the lease of what was deleted, while another has the next,");
      assertEqual(await store.append(key, remarks(1), { lease: next }), 1, "an append with the next lease");
    },
  },
  {
    name: "delete ends a lease of a key that was never written",
    async check({ store }) {
      const lease = await store.lease(key, { owner: "one", ttl: hour });
      assertEqual(await store.delete(key), false, "deleting what was never written");
      await isFenced(store, lease, "the lease");
      assertEqual(await store.append(key, remarks(1)), 1, "an append without a lease");
    },
  },
  {
    name: "the lease of another conversation or user cannot append, nor can a token that was never granted",
    async check({ store }) {
      const keys: Key[] = [{ conversation: "d" }, { ...key, user: "u" }, { ...key, user: "" }];
      const own = await store.lease(key, { owner: "one", ttl: hour });
      for (const one of keys) {
        const lease = await store.lease(one, { owner: "one", ttl: hour });
        await isFenced(store, lease, `the lease of ${JSON.stringify(one)}`);
        await assertRejects(store.append(one, remarks(1), { lease: own }), "lease_lost", "the other way round");
      }
      for (const token of [0, -1, own.token + 1_000, Number.MAX_SAFE_INTEGER]) {
        await isFenced(store, { token }, `the token ${token}`);
      }
      await assertRejects(
        store.append({ conversation: "free" }, remarks(1), { lease: own }),
        "lease_lost",
        "a lease of a key without a lease",
      );
      assertEqual(await store.append(key, remarks(1), { lease: own }), 1, "an append with the own lease");
    },
  },
  {
    name: "a batch that was stored before returns the first result, also without the lease and with a lost one",
    async check({ store }) {
      const lease = await store.lease(key, { owner: "one", ttl: hour });
      assertEqual(await store.append(key, remarks(2), { batch: "b", lease, expected: 0 }), 2, "the first time");
      assertEqual(await store.append(key, remarks(2), { batch: "b" }), 2, "without the lease");
      assertEqual(
        await store.append(key, remarks(2), { batch: "b", lease: { token: -5 } }),
        2,
        "with no lease of ours",
      );
      await lease.release();
      assertEqual(await store.append(key, remarks(2), { batch: "b", lease, expected: 7 }), 2, "after the release");
      await isFenced(store, lease, "another batch with the released lease");
      assertEqual((await store.load(key)).length, 2, "the number of events");
    },
  },
  {
    name: "a batch that is refused for its lease is not stored, and its id can be used again",
    async check({ store }) {
      const lease = await store.lease(key, { owner: "one", ttl: hour });
      await assertRejects(store.append(key, [said("x")], { batch: "b" }), "lease_held", "without the lease");
      await assertRejects(
        store.append(key, [said("x")], { batch: "b", lease: { token: lease.token + 1 } }),
        "lease_lost",
        "with another token",
      );
      assertEqual(await store.append(key, [said("x")], { batch: "b", lease }), 1, "with the lease");
    },
  },
  {
    name: "append reports an invalid event before a lost lease, and a lost lease before a conflict",
    async check({ store }) {
      const lease = await store.lease(key, { owner: "one", ttl: hour });
      const invalid = { ...said("x"), timestamp: Number.NaN };
      await assertRejects(store.append(key, [invalid]), "invalid_event", "a wrong event without the lease");
      await assertRejects(store.append(key, remarks(1), { expected: 9 }), "lease_held", "without the lease");
      await assertRejects(store.append(key, [], { expected: 9, lease }), "conflict", "with the lease");
      await store.append(key, remarks(1), { lease, batch: "b" });
      await assertRejects(store.append(key, [invalid], { batch: "b" }), "invalid_event", "in a batch that was stored");
      await lease.release();
      await assertRejects(store.append(key, remarks(1), { expected: 9, lease }), "lease_lost", "with a lost lease");
    },
  },
];

async function isFenced(store: Store, lease: Pick<Lease, "token">, what: string): Promise<void> {
  const refusal = await assertRejects(store.append(key, remarks(1), { lease }), "lease_lost", `an append with ${what}`);
  assertEqual(refusal.token, lease.token, "the token that the refusal names");
}

/** Appends until the store refuses the lease as lost, and returns the error. */
function whenLost(store: Store, lease: Lease, patience: number): Promise<Error & Record<string, unknown>> {
  const look = async () => {
    const appended = store.append(key, remarks(1), { lease });
    const isLost = await appended.then(
      () => false,
      () => true,
    );
    return isLost ? assertRejects(appended, "lease_lost", "an append after the lease ended") : undefined;
  };
  return eventually(look, patience, "The lease did not expire");
}

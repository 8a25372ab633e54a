import { type Claim, type Key, type Lease, memoryStore, type Slot, type Store } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { sqliteStore } from "../src/index.ts";
import { freshSeed, type Random, randomOf } from "./support/random.ts";
import { said } from "./support/samples.ts";

const users = [undefined, "ada", "bob"] as const;
const scopes = [undefined, "agent"] as const;
const ids = ["a", "b", "c", "d", "e", "f"] as const;

/** One operation, on either store. It returns what a caller sees. */
interface Operation {
  name: string;
  run(one: Side): Promise<unknown>;
}

/** A store with what was got from it, in the order of the calls. */
interface Side {
  store: Store;
  claims: Claim[];
  leases: Lease[];
  slots: Slot[];
}

describe("sqliteStore", () => {
  it("answers as memoryStore does, whatever is done with inboxes, wakes, leases and slots", async () => {
    const seed = freshSeed();
    for (let round = 0; round < 8; round++) await expectSame(randomOf(seed + round), `seed ${seed}, round ${round}`);
  });
});

async function expectSame(random: Random, what: string): Promise<void> {
  let now = 1_700_000_000_000;
  const clock = () => now;
  const sides = [memoryStore({ clock }), await sqliteStore({ path: ":memory:", clock })].map(
    (store): Side => ({ store, claims: [], leases: [], slots: [] }),
  );
  const history: string[] = [];
  for (let step = 0; step < 200; step++) {
    // Never the same time twice: what came at the same time has no order.
    now += 1 + random.below(random.next() < 0.1 ? 500 : 20);
    const operation = randomOperation(random, now);
    history.push(operation.name);
    const [memory, sqlite] = await Promise.all(sides.map((side) => outcome(operation.run(side))));
    expect(sqlite, `${what}, after ${history.slice(-12).join("; ")}`).toEqual(memory);
    const [first, second] = await Promise.all(sides.map(({ store }) => visible(store, now)));
    expect(second, `${what}, seen after ${history.slice(-12).join("; ")}`).toEqual(first);
  }
  for (const { store } of sides) await store.close();
}

function randomOperation(random: Random, now: number): Operation {
  const conversation = random.pick(["one", "two"]);
  const user = random.pick(users);
  const key: Key = user === undefined ? { conversation } : { conversation, user };
  const scope = random.pick(scopes);
  const id = random.pick(ids);
  const at = now + random.below(120) + random.next() - (random.next() < 0.3 ? 100 : 0);
  const index = random.below(1_000);
  const ttl = 20 + random.below(100) + random.next();
  const where = `${user}/${conversation}`;
  const chance = random.next();
  const claimOf = ({ claims }: Side) => claims[index % Math.max(1, Math.min(claims.length, 4))];
  const settled = (name: string, settle: (store: Store, claim: Claim) => Promise<unknown>): Operation => ({
    name,
    run: async (side) => {
      const claim = claimOf(side);
      return claim && settle(side.store, claim);
    },
  });

  if (chance < 0.2) {
    const content = random.pick(["yes", "no"]);
    const options = random.next() < 0.5 ? { id, scope } : { id, scope, at };
    return {
      name: `post ${where} ${id} ${content} ${options.at}`,
      run: ({ store }) => store.post(key, { kind: "prompt", content }, options),
    };
  }
  if (chance < 0.3) {
    const takes = [id, ...(random.next() < 0.3 ? [random.pick(ids)] : [])];
    const batch = random.next() < 0.3 ? random.pick(["x", "y"]) : undefined;
    const lease = random.next() < 0.5;
    return {
      name: `append ${where} taking ${takes} as ${batch}`,
      run: ({ store, leases }) =>
        store.append(key, [said("hello")], { takes, batch, scope, ...(lease ? { lease: leases[0] } : {}) }),
    };
  }
  if (chance < 0.36) return { name: `append ${where}`, run: ({ store }) => store.append(key, [said("x")], { scope }) };
  if (chance < 0.46) {
    return { name: `wake ${where} ${id} ${at - now}`, run: ({ store }) => store.wake(key, { id, at, scope }) };
  }
  if (chance < 0.6) {
    // All that is due: the stores may order those differently whose claim has expired.
    const options = { owner: "o", limit: 10, ttl, scope };
    return {
      name: `claim ${JSON.stringify(options)}`,
      run: async (side) => {
        const claims = await side.store.claim(options);
        const sorted = claims.sort((one, other) => (JSON.stringify(one.key) < JSON.stringify(other.key) ? -1 : 1));
        side.claims.unshift(...sorted);
        return sorted.map(({ token, ...claim }) => claim);
      },
    };
  }
  if (chance < 0.66) return settled("done", (store, claim) => store.done(claim));
  if (chance < 0.69) return settled("renewClaim", (store, claim) => store.renewClaim(claim, ttl));
  if (chance < 0.73) return settled("defer", (store, claim) => store.defer(claim, at));
  if (chance < 0.76) return settled("park", (store, claim) => store.park(claim, "why"));
  if (chance < 0.8) return { name: `unpark ${where}`, run: ({ store }) => store.unpark(key) };
  if (chance < 0.86) {
    return {
      name: `lease ${where} ${ttl}`,
      run: async ({ store, leases }) => {
        // The stores may differ in whether a lease that ended before the first write makes anything due.
        await store.append(key, [said("x")], { scope });
        const lease = await store.lease(key, { owner: "o", ttl });
        leases.unshift(lease);
        return lease.expiresAt;
      },
    };
  }
  if (chance < 0.89) {
    return { name: "release", run: async ({ leases }) => leases[index % Math.max(1, leases.length)]?.release() };
  }
  if (chance < 0.91) return { name: "renew", run: async ({ leases }) => leases[0]?.renew(ttl) };
  if (chance < 0.93) return { name: `delete ${where}`, run: ({ store }) => store.delete(key) };
  if (chance < 0.97) {
    return {
      name: "slot",
      run: async ({ store, slots }) => {
        const slot = await store.slot(id, { owner: "o", limit: 1 + (index % 2), ttl });
        if (slot) slots.unshift(slot);
        return slot?.expiresAt;
      },
    };
  }
  if (chance < 0.985) return { name: "renew slot", run: async ({ slots }) => slots[index % 3]?.renew(ttl) };
  return { name: "release slot", run: async ({ slots }) => slots[index % 3]?.release() };
}

async function outcome(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    (result) => ({ result }),
    (error) => ({ error: error.name, message: error.message.replace(/Lease \d+/, "Lease") }),
  );
}

async function visible(store: Store, now: number): Promise<unknown> {
  const keys = users.flatMap((user) =>
    ["one", "two"].map((conversation): Key => (user === undefined ? { conversation } : { conversation, user })),
  );
  return {
    inboxes: await Promise.all(keys.map((key) => store.inbox(key))),
    logs: await Promise.all(keys.map(async (key) => (await store.load(key)).length)),
    lists: await Promise.all(users.map((user) => store.conversations({ user }))),
    parked: await Promise.all(scopes.map((scope) => store.parked({ scope }))),
    next: await Promise.all(scopes.map(async (scope) => laterThan(now, await store.nextWake({ scope })))),
  };
}

function laterThan(now: number, time: number | undefined): number | undefined {
  return time === undefined ? undefined : Math.max(now, time);
}

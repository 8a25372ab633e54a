import { readdirSync, readFileSync } from "node:fs";
import type { Key, Store } from "@cogency/storage";
import { describePostgres } from "@tooling/postgres/describe";
import { expect, it } from "vitest";
import {
  deletedKeys,
  frozenLease,
  frozenMessages,
  frozenParked,
  frozenScope,
  frozenTaken,
  frozenTimer,
} from "./corpus/contents.ts";
import { type FrozenStore, type FrozenWork, readStore, readWork } from "./corpus/frozen-store.ts";
import { said } from "./support/samples.ts";
import { connected } from "./support/test-role.ts";
import { freshDatabase, openStore } from "./support/test-store.ts";

const folder = new URL("corpus/", import.meta.url);
const versions = readdirSync(folder).flatMap((name) => /^schema-(\d+)\.sql$/.exec(name)?.slice(1) ?? []);

describePostgres("postgresStore on what earlier versions wrote", () => {
  it("has a frozen store of the current schema", async () => {
    const url = await freshDatabase();
    await openStore({ url });
    const present = await connected(url, (sql) => sql`SELECT version FROM cogency.cogency_version`);
    expect(versions).toContain(String(present[0]?.version));
  });

  it.each(versions)("reads schema %s as it was written, and continues with it", async (version) => {
    const url = await freshDatabase();
    const dump = readFileSync(new URL(`schema-${version}.sql`, folder), "utf8");
    await connected(url, (sql) => sql.unsafe(dump).simple());
    const frozen: FrozenStore = JSON.parse(readFileSync(new URL(`schema-${version}.json`, folder), "utf8"));
    const store = await openStore({ url });

    const keys = frozen.logs.map(({ key }) => key);
    expect(await readStore(store, keys)).toEqual({ logs: frozen.logs, users: frozen.users });
    for (const { key, batch, result } of frozen.batches) {
      expect(await store.append(key, [said("again")], { batch })).toBe(result);
    }
    expect((await store.search("bilby", { user: "grace" })).map(({ seq }) => seq)).toEqual([2]);
    expect(await store.search("bandicoot", { user: "ada" })).toMatchObject([{ conversation: "every kind" }]);
    for (const { user } of deletedKeys) expect(await store.search("numbat", { user })).toEqual([]);

    if (frozen.work) await continueWork(store, frozen.work);

    const { key: leasedKey, owner } = frozenLease;
    await expect(store.append(leasedKey, [said("x")])).rejects.toMatchObject({ code: "lease_held", owner });
    const lease = await store.lease(leasedKey, { owner, ttl: 60_000 });
    expect(lease.token).toBeGreaterThan(frozen.token);
    await lease.release();
    for (const { key, events } of frozen.logs) {
      expect(await store.append(key, [said("a new platypus")], { expected: events.length })).toBe(events.length + 1);
    }
    const quokkas = frozen.logs.filter(({ key }) => key.user === "null");
    expect(await store.search("platypus", { user: "null", limit: 1000 })).toHaveLength(quokkas.length);
  });
});

/** Reads and claims what was to do, without adding events. */
async function continueWork(store: Store, work: FrozenWork): Promise<void> {
  const scope = frozenScope;
  expect(await readWork(store, keysOf(work))).toEqual(work);
  const { key, id, message } = frozenTaken;
  await store.post(key, message, { id, scope });
  const another = store.post(key, { kind: "cancel" }, { id, scope });
  await expect(another).rejects.toMatchObject({ code: "conflict" });
  expect(await readWork(store, keysOf(work))).toEqual(work);

  expect(await store.unpark(frozenParked.key)).toBe(true);
  const options = { owner: "o", limit: 10, ttl: 60_000 };
  // Its first write was without a scope.
  expect(await store.claim(options)).toMatchObject([{ key: { conversation: "every kind" }, reasons: ["inbox"] }]);
  const claims = await store.claim({ ...options, scope });
  const reasons = claims.map((claim) => [claim.key.conversation, ...claim.reasons]).sort();
  expect(reasons).toEqual([
    ["parked", "timer:parked"],
    ["waiting", "inbox"],
  ]);
  for (const claim of claims) expect(await store.done(claim)).toBe(true);
  const later = frozenMessages.find(({ at }) => at !== undefined);
  expect(await store.nextWake({ scope })).toBe(Math.min(frozenTimer.at, later?.at ?? 0));
}

function keysOf({ inboxes }: FrozenWork): Key[] {
  return inboxes.map(({ key }) => key);
}

import { setTimeout } from "node:timers/promises";
import type { Claim, Key, Store } from "@cogency/storage";
import { describePostgres } from "@tooling/postgres/describe";
import postgres from "postgres";
import { expect, it, onTestFinished, vi } from "vitest";
import { said, upTo } from "./support/samples.ts";
import { connected } from "./support/test-role.ts";
import { freshDatabase, openStore } from "./support/test-store.ts";

const hour = 3_600_000;
const key: Key = { conversation: "c" };
const hello = { kind: "prompt", content: "Hello" } as const;
const claims = { owner: "o", limit: 10, ttl: hour };

describePostgres("the inbox in PostgreSQL", () => {
  it("asks nothing for a watcher of posts when the same store appends", async () => {
    const asked: string[] = [];
    const sql = postgres(await freshDatabase(), { debug: (_, query) => asked.push(query), onnotice: () => {} });
    onTestFinished(() => sql.end());
    const store = await openStore({ sql, pollInterval: hour });
    const changes = store.watch(key, { of: "posts" })[Symbol.asyncIterator]();
    await changes.next();
    await store.append(key, [said("one")]);
    const changed = changes.next();
    const states = () => asked.filter((query) => query.includes("AS messages")).length;
    await vi.waitFor(() => expect(states()).toBeGreaterThan(0), { timeout: 60_000 });
    let before = 0;
    // Until the watcher is at rest: it asks again once it listens.
    while (states() !== before) {
      before = states();
      await setTimeout(300);
    }
    for (let number = 0; number < 5; number++) {
      await store.append(key, [said("more")]);
      await setTimeout(100);
    }
    expect(states()).toBeLessThan(before + 3);
    await store.post(key, hello, { id: "m" });
    expect(await changed).toEqual({ done: false, value: undefined });
    await changes.return?.();
  });

  it("wakes a thousand watchers over one connection, and none without a change", async () => {
    const url = await freshDatabase();
    const store = await openStore({ url, max: 2, pollInterval: 200 });
    const yields = new Map<string, number>();
    const ending = new AbortController();
    const watching = upTo(1_000).map(async (number) => {
      const conversation = `c${number}`;
      for await (const _ of store.watch({ conversation }, { signal: ending.signal })) {
        yields.set(conversation, (yields.get(conversation) ?? 0) + 1);
      }
    });
    const changed = upTo(10).map((number) => `c${number * 100}`);
    await vi.waitFor(() => expect(yields.size).toBe(1_000), { timeout: 30_000 });
    const other = await openStore({ url, max: 1 });
    for (const conversation of changed) await other.post({ conversation }, hello, { id: "m" });
    const twice = () => [...yields].filter(([, count]) => count === 2).map(([conversation]) => conversation);
    await vi.waitFor(() => expect(twice().sort()).toEqual([...changed].sort()), { timeout: 30_000 });
    // Several polls.
    await setTimeout(700);
    const counts = [...yields.values()];
    expect(counts.filter((count) => count === 1)).toHaveLength(990);
    expect(counts.filter((count) => count === 2)).toHaveLength(10);
    const connections = await connected(
      url,
      (sql) => sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'cogency'`,
    );
    // Two of the first store, one that listens, one of the other store.
    expect(connections.length).toBeLessThanOrEqual(4);
    ending.abort();
    await Promise.all(watching);
  });

  it("wakes watchers of a change whose notification was lost", async () => {
    const url = await freshDatabase();
    const store = await openStore({ url, pollInterval: 100 });
    const changes = store.watch(key)[Symbol.asyncIterator]();
    const dues = store.watchWakes()[Symbol.asyncIterator]();
    await changes.next();
    const [changed, due] = [changes.next(), dues.next()];
    // Posted without a store, so nobody is notified.
    await connected(
      url,
      (sql) => sql`SELECT cogency.post(sha256(${'null\n"c"'}::bytea), 'null', '"c"', sha256('null'), 'i', '"i"',
        ${JSON.stringify(hello)}, 'h', NULL)`,
    );
    expect(await changed).toEqual({ done: false, value: undefined });
    expect(await due).toEqual({ done: false, value: undefined });
    expect(await store.inbox(key)).toMatchObject([{ id: "i", message: hello }]);
    await Promise.all([changes.return?.(), dues.return?.()]);
  });

  it("keeps only the id and the hash of a message that was taken, and nothing after `delete`", async () => {
    const url = await freshDatabase();
    const store = await openStore({ url });
    await store.post(key, { kind: "steer", content: "a canary" }, { id: "canary id" });
    await store.wake(key, { id: "canary timer", at: Date.now() + hour });
    await store.append(key, [said("x")], { takes: ["canary id"] });
    const rows = () => connected(url, (sql) => sql`SELECT id, message FROM cogency.inbox`);
    expect(await rows()).toEqual([{ id: null, message: null }]);
    await store.post(key, { kind: "steer", content: "a canary" }, { id: "canary id" });
    expect(await store.inbox(key)).toEqual([]);
    await store.delete(key);
    const left = await connected(
      url,
      (sql) => sql`SELECT FROM cogency.inbox UNION ALL SELECT FROM cogency.timers UNION ALL SELECT FROM cogency.wakes`,
    );
    expect(left).toHaveLength(0);
  });

  it("takes a message once when appends without a lease race for it", async () => {
    const url = await freshDatabase();
    const stores = await Promise.all(upTo(4).map(() => openStore({ url, max: 4 })));
    const [store] = stores as [Store];
    await store.append(key, [said("x")]);
    for (const round of upTo(20)) {
      await store.post(key, hello, { id: `m${round}` });
      const appends = stores.map((one) => one.append(key, [said(`m${round}`)], { takes: [`m${round}`] }));
      const results = await Promise.allSettled(appends);
      expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    }
    expect(await store.load(key)).toHaveLength(21);
  });
});

describePostgres("wakes in PostgreSQL", () => {
  it("come at the end of a lease that was renewed, although renewals leave the table of wakes alone", async () => {
    const url = await freshDatabase();
    const store = await openStore({ url });
    await store.append(key, [said("x")]);
    const lease = await store.lease(key, { owner: "o", ttl: 200 });
    const row = () => connected(url, (sql) => sql`SELECT xmin, lease_at FROM cogency.wakes`);
    const before = await row();
    await lease.renew(hour);
    expect(await row()).toEqual(before);
    await setTimeout(300);
    expect(await store.claim(claims)).toEqual([]);
    expect(await store.nextWake()).toBe(lease.expiresAt);
    await lease.renew(200);
    expect(await store.nextWake()).toBe(lease.expiresAt);
    await vi.waitFor(async () => expect(await store.claim(claims)).toMatchObject([{ reasons: ["lease"] }]), {
      timeout: 20_000,
    });
  });

  it("of a user come in turn although thousands of another have waited for longer", async () => {
    const url = await freshDatabase();
    const store = await openStore({ url });
    await store.wake({ conversation: "late", user: "grace" }, { id: "t", at: Date.now() - 1 });
    await connected(url, async (sql) => {
      await sql`INSERT INTO cogency.conversations (key, user_key, user_name, name, scope)
        SELECT n::text::bytea, sha256('"ada"'), '"ada"', n::text, sha256('null') FROM generate_series(1, 3000) n`;
      await sql`INSERT INTO cogency.wakes (conversation, user_key, scope, inbox_at)
        SELECT id, user_key, scope, id FROM cogency.conversations WHERE user_name = '"ada"'`;
    });
    const usersOf = (claimed: Claim[]) => claimed.map(({ key: { user } }) => user).sort();
    expect(usersOf(await store.claim({ ...claims, limit: 3 }))).toEqual(["ada", "ada", "grace"]);
    expect(await store.claim({ ...claims, limit: 5_000 })).toHaveLength(2_998);
  });

  it("are claimed by any number of stores at once, never above `perUser`", async () => {
    const url = await freshDatabase();
    const stores = await Promise.all(upTo(5).map(() => openStore({ url, max: 2 })));
    const [store] = stores as [Store];
    const due = upTo(60).map((number) => ({ conversation: `c${number}`, user: `u${number % 3}` }));
    await Promise.all(due.map((one) => store.wake(one, { id: "t", at: 0 })));
    const done: string[] = [];
    const held = new Map<string | undefined, number>();
    const workers = stores.map(async (one) => {
      while (done.length < due.length) {
        for (const claim of await one.claim({ ...claims, limit: 4, perUser: 2 })) {
          const { user, conversation } = claim.key;
          held.set(user, (held.get(user) ?? 0) + 1);
          expect(held.get(user)).toBeLessThanOrEqual(2);
          await setTimeout(1);
          held.set(user, (held.get(user) ?? 0) - 1);
          done.push(conversation);
          expect(await one.done(claim)).toBe(true);
        }
      }
    });
    await Promise.all(workers);
    expect([...done].sort()).toEqual(due.map(({ conversation }) => conversation).sort());
    expect(await store.nextWake()).toBeUndefined();
  });

  it("are settled once, also if the answer to the first attempt was lost", async () => {
    const url = await freshDatabase();
    const store = await openStore({ url });
    await store.wake(key, { id: "t", at: 0 });
    const [claim] = await store.claim(claims);
    await connected(url, async (sql) => {
      const settle = async (token: number | undefined, ending: string, isRetry: boolean) => {
        const [row] =
          await sql`SELECT stood FROM cogency.settle_claim(sha256(${'null\n"c"'}::bytea), ${token ?? 0}, ${ending},
          ${Date.now()}, NULL, ${isRetry})`;
        return row?.stood;
      };
      expect(await settle(claim?.token, "defer", false)).toBe(true);
      expect(await settle(claim?.token, "defer", true)).toBe(true);
      expect(await settle(claim?.token, "defer", false)).toBe(false);
      const [again] = await store.claim(claims);
      expect(again).toMatchObject({ attempts: 1 });
      // Somebody else has claimed it since.
      expect(await settle(claim?.token, "done", true)).toBe(false);
      expect(await settle(again?.token, "done", false)).toBe(true);
      expect(await settle(again?.token, "done", true)).toBe(true);
      expect(await settle(again?.token, "done", false)).toBe(false);
    });
  });
});

describePostgres("slots in PostgreSQL", () => {
  it("give one place to a call whose first answer was lost, and forget places that ended", async () => {
    const url = await freshDatabase();
    const store = await openStore({ url });
    await connected(url, async (sql) => {
      const id = "00000000-0000-4000-8000-000000000001";
      const take = () => sql`SELECT ends FROM cogency.take_slot(${id}, 'n', '"o"', 1, 50)`;
      expect(await take()).toEqual(await take());
      await setTimeout(100);
      const slot = await store.slot("another", { limit: 1, owner: "o", ttl: hour });
      onTestFinished(() => slot?.release());
      expect(await sql`SELECT ends FROM cogency.slots`).toEqual([{ ends: slot?.expiresAt }]);
    });
  });
});

import type { Key, Store } from "@cogency/storage";
import { describePostgres } from "@tooling/postgres/describe";
import { expect, it } from "vitest";
import { postgresStore, schemaScript } from "../src/index.ts";

import { contents, said } from "./support/samples.ts";
import { connected, freshRole } from "./support/test-role.ts";
import { freshDatabase, openStore } from "./support/test-store.ts";

describePostgres("the role of schemaScript", () => {
  it("can call every method of a store", async () => {
    const { url } = await preparedDatabase();
    const store = await openStore({ url });
    const key = { conversation: "c", user: "ada" };

    expect(await store.append(key, [said("one"), said("two")], { batch: "b", expected: 0 })).toBe(2);
    expect(await store.append(key, [said("one"), said("two")], { batch: "b" })).toBe(2);
    const lease = await store.lease(key, { owner: "o", ttl: 60_000 });
    expect(await store.append(key, [said("three")], { lease })).toBe(3);
    await lease.renew();
    const other = await store.lease({ conversation: "d" }, { owner: "o", ttl: 60_000 });
    expect(await store.renew([lease, other])).toEqual({ renewed: [lease.token, other.token], lost: [] });
    await lease.release();
    expect(contents(await store.load(key, { last: 2 }))).toEqual(["two", "three"]);
    expect(await store.conversations({ user: "ada" })).toMatchObject([{ conversation: "c", events: 3, title: "one" }]);
    expect(await store.search("three", { user: "ada" })).toMatchObject([{ conversation: "c", seq: 3 }]);
    expect(await store.saveProfile("ada", { likes: "tea" })).toBe(1);
    expect(await store.saveProfile("ada", { likes: "coffee" }, { expected: 1 })).toBe(2);
    expect(await store.loadProfile("ada")).toEqual({ profile: { likes: "coffee" }, version: 2 });
    expect(await store.deleteProfile("ada")).toBe(true);
    const seen: string[] = [];
    for await (const event of store.follow(key)) {
      seen.push(...contents([event]));
      if (event.seq === 3) await store.append(key, [said("four")]);
      if (event.seq === 4) break;
    }
    expect(seen).toEqual(["one", "two", "three", "four"]);
    await useInbox(store, key);
    expect(await store.delete(key)).toBe(true);
    expect(await store.search("three", { user: "ada" })).toEqual([]);
    await store.close();
    const again = await openStore({ url });
    expect(await again.load(key)).toEqual([]);
  });

  it("can do nothing else", async () => {
    const { url, role, database } = await preparedDatabase();
    await connected(database, async (sql) => {
      await sql.unsafe(schemaScript({ schema: "other" }));
      await sql.unsafe("CREATE TABLE public.salaries (amount int)");
    });
    const refused = [
      "CREATE TABLE cogency.mine (x int)",
      "CREATE TABLE public.mine (x int)",
      "CREATE SCHEMA mine",
      "CREATE ROLE mine",
      "CREATE DATABASE mine",
      "CREATE FUNCTION cogency.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
      "CREATE INDEX ON cogency.events (type)",
      "ALTER TABLE cogency.events ADD COLUMN mine int",
      "ALTER TABLE cogency.events DISABLE TRIGGER ALL",
      `ALTER SCHEMA cogency OWNER TO ${role}`,
      `ALTER ROLE ${role} SUPERUSER`,
      "DROP TABLE cogency.events",
      "DROP SCHEMA cogency CASCADE",
      "TRUNCATE cogency.events",
      "UPDATE cogency.cogency_version SET version = 99",
      "DELETE FROM cogency.cogency_version",
      "UPDATE cogency.live_key SET key = sha256('known')",
      "DELETE FROM cogency.live_key",
      "SELECT * FROM other.events",
      "SELECT * FROM other.cogency_version",
      "SELECT * FROM other.live_key",
      "SELECT * FROM public.salaries",
      "SELECT * FROM pg_authid",
      "SELECT pg_read_file('/etc/hostname')",
      "COPY (SELECT 1) TO PROGRAM 'true'",
      "SET ROLE postgres",
    ];
    const codes = await connected(url, async (sql) => {
      const results: [string, unknown][] = [];
      for (const statement of refused) {
        const code = await sql.unsafe(statement).then(
          () => "allowed",
          (error: { code: string }) => error.code,
        );
        results.push([statement, code]);
      }
      return results;
    });
    const insufficientPrivilege = "42501";
    expect(codes).toEqual(refused.map((statement) => [statement, insufficientPrivilege]));
  });

  it("works beside another application's schema in one database", async () => {
    const database = await freshDatabase();
    const [one, two] = [await freshRole(database), await freshRole(database)];
    const odd = `Odd "schema"; --`;
    await connected(database, async (sql) => {
      await sql.unsafe(schemaScript({ role: one.role }));
      await sql.unsafe(schemaScript({ schema: odd, role: two.role }));
      // It may be run again.
      await sql.unsafe(schemaScript({ schema: odd, role: two.role }));
    });
    const [first, second] = [await openStore({ url: one.url }), await openStore({ url: two.url, schema: odd })];
    await first.append({ conversation: "c" }, [said("first")]);
    await second.append({ conversation: "c" }, [said("second")]);
    expect(contents(await first.load({ conversation: "c" }))).toEqual(["first"]);
    expect(contents(await second.load({ conversation: "c" }))).toEqual(["second"]);
    await expect(postgresStore({ url: one.url, schema: odd })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("schemaScript"),
    });
  });

  it("gets an error that says what to do if the database is not prepared", async () => {
    const database = await freshDatabase();
    const { url } = await freshRole(database);
    await expect(postgresStore({ url })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("schemaScript"),
    });
  });

  it("gets an error that says what to do if a newer version has prepared it", async () => {
    const { url, database } = await preparedDatabase();
    await connected(database, (sql) => sql`UPDATE cogency.cogency_version SET version = 99`);
    await expect(postgresStore({ url })).rejects.toMatchObject({
      code: "newer_schema",
      message: expect.stringMatching(/schema 99.*Update/),
    });
  });
});

/** Every method for messages, wakes and slots. */
async function useInbox(store: Store, key: Key): Promise<void> {
  const claims = { owner: "o", limit: 1, ttl: 60_000 };
  for await (const _ of store.watch(key)) break;
  await store.wake(key, { id: "t", at: 0 });
  for await (const _ of store.watchWakes()) break;
  await store.post(key, { kind: "steer", content: "five" }, { id: "m" });
  expect(await store.inbox(key)).toMatchObject([{ id: "m" }]);
  const claim = await one(store.claim(claims));
  expect(await store.nextWake()).toBe(claim.expiresAt);
  expect(await store.append(key, [said("five")], { takes: ["m"] })).toBe(5);
  expect(await store.park(claim, "why")).toBe(true);
  expect(await store.parked()).toMatchObject([{ key, reason: "why" }]);
  expect(await store.unpark(key)).toBe(true);
  const deferred = await one(store.claim(claims));
  expect(await store.renewClaim(deferred, 60_000)).toBe(true);
  expect(await store.defer(deferred, 0)).toBe(true);
  expect(await store.done(await one(store.claim(claims)))).toBe(true);
  const slot = await store.slot("s", { limit: 1, owner: "o", ttl: 60_000 });
  expect(await slot?.renew()).toBe(true);
  await slot?.release();
}

async function one<T>(values: Promise<T[]>): Promise<T> {
  const [first] = await values;
  return first ?? expect.unreachable();
}

/** As an administrator leaves it: the schema is there, and a role that may use it. */
async function preparedDatabase(): Promise<{ database: string; role: string; url: string }> {
  const database = await freshDatabase();
  const { role, url } = await freshRole(database);
  await connected(database, (sql) => sql.unsafe(schemaScript({ role })));
  return { database, role, url };
}

import type { LogEvent } from "@cogency/protocol";
import type { Store } from "@cogency/storage";
import { createDatabase, type TestDatabase } from "@tooling/postgres";
import { describePostgres, postgresUrl } from "@tooling/postgres/describe";
import postgres from "postgres";
import { expect, it, onTestFinished } from "vitest";
import { kitCases } from "../test/support/kit-cases.ts";
import { postgresStore } from "./postgres-store.ts";

describePostgres("postgresStore", () => {
  kitCases("some");

  it("uses the caller's client with any transform of names and numbers, and leaves it open", async () => {
    const { url } = await database();
    const sql = postgres(url, { max: 2, transform: postgres.camel, types: { bigint: postgres.BigInt } });
    onTestFinished(() => sql.end());
    const store = await postgresStore({ sql, schema: "borrowed" });
    await useIt(store);
    await store.close();
    expect(await sql`SELECT events FROM borrowed.conversations`).toHaveLength(1);
  });

  it("works without prepared statements, as some poolers in transaction mode need", async () => {
    const store = await postgresStore({ url: (await database()).url, prepare: false });
    await useIt(store);
    await store.close();
  });

  it("follows the appends of other processes even without notifications", async () => {
    const { url } = await database();
    const [one, other] = [await postgresStore({ url, pollInterval: 50 }), await postgresStore({ url })];
    const sql = postgres(url, { max: 1 });
    const followed = one.follow(key)[Symbol.asyncIterator]();
    const first = followed.next();
    // Appended without the store, so no follower is notified.
    await other.append({ conversation: "another" }, [said("x")]);
    await sql`UPDATE cogency.conversations SET key = sha256(${'null\n"c"'}::bytea)`;
    expect(await first).toMatchObject({ value: { content: "x" } });
    await followed.return?.();
    await Promise.all([one.close(), other.close(), sql.end()]);
  });

  it("fails at once if no server answers at the address", async () => {
    const unreachable = postgresStore({ url: "postgres://me:secret@127.0.0.1:1/db" });
    await expect(unreachable).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("127.0.0.1:1"),
    });
  });

  it("throws `corrupt` if rows are missing or contain no event", async () => {
    const { url } = await database();
    const store = await postgresStore({ url });
    await store.append(key, [said("1"), said("2"), said("3")]);
    const sql = postgres(url, { max: 1 });
    await sql`DELETE FROM cogency.events WHERE seq = 2`;
    await expect(store.load(key)).rejects.toMatchObject({
      code: "corrupt",
      message: expect.stringContaining("event 2"),
    });
    await sql`UPDATE cogency.events SET event = 'secret {'`;
    const error = await store.load(key).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: "corrupt", message: expect.not.stringContaining("secret") });
    await Promise.all([store.close(), sql.end()]);
  });
});

const key = { conversation: "c" };

function said(content: string): LogEvent {
  return { type: "user", content, timestamp: 1 };
}

async function database(): Promise<TestDatabase> {
  const made = await createDatabase(postgresUrl());
  onTestFinished(() => made.drop());
  return made;
}

/** Every kind of statement. */
async function useIt(store: Store): Promise<void> {
  const events = [said('one \\ {"x"}'), said("two")];
  expect(await store.append(key, events, { batch: "b" })).toBe(2);
  expect(await store.append(key, events, { batch: "b" })).toBe(2);
  expect(await store.load(key)).toEqual(events.map((event, index) => ({ ...event, seq: index + 1 })));
  expect(await store.load(key, { types: ["user"], last: 1 })).toHaveLength(1);
  expect(await store.conversations()).toMatchObject([{ conversation: "c", events: 2 }]);
  expect(await store.search("two", { user: undefined })).toMatchObject([{ conversation: "c", seq: 2 }]);
  expect(await store.saveProfile("u", { a: 1 })).toBe(1);
  expect(await store.loadProfile("u")).toEqual({ profile: { a: 1 }, version: 1 });
  const lease = await store.lease(key, { owner: "o", ttl: 60_000 });
  await lease.renew();
  const other = await store.lease({ conversation: "d" }, { owner: "o", ttl: 60_000 });
  expect(await store.renew([lease, other, { token: 0 }])).toMatchObject({ lost: [0], renewed: { length: 2 } });
  await store.delete({ conversation: "d" });
  expect(await store.renew([other, lease])).toEqual({ renewed: [lease.token], lost: [other.token] });
  expect(await store.append(key, [said("three")], { lease })).toBe(3);
  await lease.release();
  await store.post(key, { kind: "prompt", content: "four" }, { id: 'm "1"' });
  await store.wake(key, { id: 't "1"', at: 0 });
  for await (const _ of store.watchWakes()) break;
  const [claim] = await store.claim({ owner: "o", limit: 1, ttl: 60_000, perUser: 1 });
  if (!claim) return expect.unreachable();
  expect(claim).toMatchObject({ key, reasons: ["inbox", 'timer:t "1"'] });
  expect(await store.append(key, [said("four")], { takes: ['m "1"'] })).toBe(4);
  expect(await store.park(claim, "why")).toBe(true);
  expect(await store.parked()).toMatchObject([{ key, reason: "why" }]);
  const slot = await store.slot("s", { limit: 1, owner: "o", ttl: 60_000 });
  expect(await slot?.renew()).toBe(true);
  for await (const _ of store.watch(key)) break;
  for await (const { seq } of store.follow(key)) if (seq === 3) break;
}

const wrong = (value: unknown) => value as never;

it.each<[string, () => Promise<unknown>, string]>([
  [
    "another word for the address",
    () => postgresStore(wrong({ connectionString: "postgres://h/d" })),
    "Did you mean `url`?",
  ],
  ["neither address nor client", () => postgresStore(wrong({})), "`url`"],
  ["the address in place of options", () => postgresStore(wrong("postgres://h/d")), "`url`"],
  ["a client of another library", () => postgresStore(wrong({ sql: { query() {} } })), "`sql`"],
  ["no connections", () => postgresStore({ url: "postgres://h/d", max: 0 }), "`max`"],
  ["an option of another library", () => postgresStore(wrong({ url: "postgres://h/d", ssl: true })), "`ssl`"],
])("refuses %s, and says what to write", async (_, open, answer) => {
  await expect(open()).rejects.toMatchObject({ code: "invalid_option", message: expect.stringContaining(answer) });
});

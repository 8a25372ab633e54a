import { setTimeout } from "node:timers/promises";
import { keepLeases } from "@cogency/storage";
import { createDatabase, type PostgresServer, startPostgres } from "@tooling/postgres";
import { describeOwnPostgres } from "@tooling/postgres/describe";
import postgres from "postgres";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { connect } from "../src/database/connect.ts";
import { expectUnavailable } from "./support/expect-unavailable.ts";
import { followUpTo } from "./support/follow-up-to.ts";
import { runProcess } from "./support/run-process.ts";
import { contents, said, upTo } from "./support/samples.ts";
import { type TcpProxy, tcpProxy } from "./support/tcp-proxy.ts";
import { connected } from "./support/test-role.ts";
import { openStore } from "./support/test-store.ts";

describeOwnPostgres("postgresStore over a connection that does not last", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  it("neither repeats a batch nor sees a conflict when answers are lost", async () => {
    const { proxy, url } = await proxied();
    const store = await openStore({ url, max: 3, retryFor: 90_000 });
    const shared = { conversation: "shared" };
    // Sometimes before the server got the statement, mostly between its commit and the end of its answer.
    proxy.cutAfter(() => Math.ceil(Math.random() * 1500));
    const writers = ["a", "b", "c"].map(async (writer) => {
      const results: number[] = [];
      for (const number of upTo(40)) {
        await store.append({ conversation: writer }, [said(`${number}`)], { expected: number - 1 });
        results.push(await store.append(shared, [said(`${writer} ${number}`), said("second")]));
        expect(await store.saveProfile(writer, number, { expected: number - 1 })).toBe(number);
        const lease = await store.lease({ conversation: `leased ${writer}` }, { owner: writer, ttl: 60_000 });
        await lease.release();
      }
      return results;
    });
    const results = (await Promise.all(writers)).flat();
    proxy.cutAfter(undefined);

    expect(proxy.cuts).toBeGreaterThan(20);
    expect(results.sort((a, b) => a - b)).toEqual(upTo(120).map((number) => number * 2));
    const log = await store.load(shared);
    expect(log.map(({ seq }) => seq)).toEqual(upTo(240));
    for (const writer of ["a", "b", "c"]) {
      const own = contents(log).filter((content) => content.startsWith(`${writer} `));
      expect(own).toEqual(upTo(40).map((number) => `${writer} ${number}`));
      expect(contents(await store.load({ conversation: writer }))).toEqual(upTo(40).map(String));
    }
  });

  it.each([
    ["are reset", "reset"],
    ["end", "end"],
  ] as const)("forgets no statement when its connections %s, however busy they are", async (_, how) => {
    const { proxy, url } = await proxied();
    const pool = connect({ url, max: 2, connectTimeout: 60_000 });
    onTestFinished(() => pool.end());
    const isOver = new AbortController();
    const counts = upTo(8).map(() => 0);
    const answers = counts.map(async (_, at) => {
      while (!isOver.signal.aborted) {
        const rows = await pool.query("SELECT $1::int", [at]).catch(() => undefined);
        if (rows) counts[at] = (counts[at] ?? 0) + 1;
      }
    });
    // However slow the machine is. One whose statement was forgotten never gets that far.
    for (let cuts = 0; cuts < 20 || Math.min(...counts) <= 20; cuts++) {
      await setTimeout(100);
      proxy.cutAll(how);
    }
    isOver.abort();
    await Promise.all(answers);
    expect(Math.min(...counts)).toBeGreaterThan(20);
  });

  it("opens though its connection breaks while another process prepares the schema", async () => {
    const { url } = await createDatabase(server.url);
    const sql = postgres(url, { max: 2, onnotice: () => {} });
    onTestFinished(() => sql.end());
    const other = await sql.reserve();
    await other`BEGIN`;
    await other`SELECT pg_advisory_xact_lock(hashtextextended('cogency cogency', 0))`;
    const opening = openStore({ url });
    const ended = () => sql`SELECT pg_terminate_backend(pid) FROM pg_locks WHERE NOT granted AND locktype = 'advisory'`;
    await vi.waitFor(async () => expect(await ended()).toHaveLength(1), { timeout: 10_000 });
    await other`COMMIT`;
    other.release();
    expect(await (await opening).append({ conversation: "c" }, [said("x")])).toBe(1);
  });

  it("takes each message once, and forgets nothing that is due, when answers are lost", async () => {
    const { proxy, url } = await proxied();
    const store = await openStore({ url, max: 3, retryFor: 90_000 });
    proxy.cutAfter(() => Math.ceil(Math.random() * 1500));
    const talks = ["a", "b", "c"].map(async (user) => {
      const key = { conversation: "c", user };
      for (const number of upTo(12)) {
        const id = `m${number}`;
        await store.post(key, { kind: "prompt", content: id }, { id, scope: user });
        // An answer with a claim may be lost, so the claim ends by itself.
        const claimed = async () => {
          const [claim] = await store.claim({ owner: user, limit: 1, ttl: 300, scope: user });
          return claim ?? expect.unreachable();
        };
        const claim = await vi.waitFor(claimed, { timeout: 30_000, interval: 50 });
        expect(await store.append(key, [said(id)], { expected: number - 1, takes: [id] })).toBe(number);
        await store.done(claim);
        const slot = await store.slot(user, { limit: 1, owner: user, ttl: 60_000 });
        await slot?.release();
        expect(slot).not.toBeNull();
      }
    });
    await Promise.all(talks);
    proxy.cutAfter(undefined);
    expect(proxy.cuts).toBeGreaterThan(5);
    for (const user of ["a", "b", "c"]) {
      const key = { conversation: "c", user };
      expect(contents(await store.load(key))).toEqual(upTo(12).map((number) => `m${number}`));
      expect(await store.inbox(key)).toEqual([]);
    }
  });

  it("returns whether the conversation existed, even if the answer to delete is lost", async () => {
    const { proxy, url } = await proxied();
    const store = await openStore({ url, max: 2, retryFor: 60_000 });
    for (const number of upTo(8)) {
      const key = { conversation: `c${number}` };
      await store.append(key, [said("x")]);
      proxy.cutAfter(() => Math.ceil(Math.random() * 300));
      await store.delete(key);
      proxy.cutAfter(undefined);
      expect(await store.load(key)).toEqual([]);
      expect(await store.append(key, [said("again")])).toBe(1);
    }
  });

  it("continues a follow whose connection was cut, without losing or repeating an event", async () => {
    const { proxy, url } = await proxied();
    const direct = new URL(url);
    direct.port = String(server.port);
    const follower = await openStore({ url, retryFor: 90_000 });
    const writer = await openStore({ url: direct.href });
    const followed = followUpTo(follower, "c", 100);
    for (const number of upTo(100)) {
      if (number % 20 === 0) proxy.cutAfter(() => Math.ceil(Math.random() * 500));
      if (number % 20 === 10) proxy.cutAfter(undefined);
      await writer.append({ conversation: "c" }, [said(String(number))]);
      await setTimeout(5);
    }
    proxy.cutAfter(undefined);
    expect(await followed).toEqual(upTo(100).map(String));
  });

  it("throws `unavailable` while the server hangs, and works again when it answers", async () => {
    const { proxy, url } = await proxied();
    const store = await openStore({ url, max: 2, retryFor: 1_500 });
    await store.append({ conversation: "c" }, [said("before")]);
    proxy.freeze();
    const began = Date.now();
    const attempts = [
      ...upTo(5).map((number) => store.append({ conversation: "c" }, [said(`lost ${number}`)])),
      store.load({ conversation: "c" }),
      openStore({ url, retryFor: 1_500 }),
    ];
    for (const result of await Promise.allSettled(attempts)) expectUnavailable(result);
    expect(Date.now() - began).toBeLessThan(60_000);
    proxy.thaw();
    const last = await store.append({ conversation: "c" }, [said("after")]);
    const log = await store.load({ conversation: "c" });
    expect(log.map(({ seq }) => seq)).toEqual(upTo(last));
    expect(new Set(contents(log)).size).toBe(last);
  });

  it("aborts `lost` while the server hangs, before the server lets another owner in", async () => {
    const { proxy, url } = await proxied();
    const direct = new URL(url);
    direct.port = String(server.port);
    const [store, other] = [await openStore({ url, max: 2 }), await openStore({ url: direct.href })];
    const key = { conversation: "c" };
    const lease = await store.lease(key, { owner: "one", ttl: 1_500 });
    const stop = keepLeases(store).add(lease);
    await setTimeout(2_000);
    expect(lease.lost.aborted).toBe(false);
    proxy.freeze();
    const grant = () => other.lease(key, { owner: "two", ttl: 60_000 });
    await vi.waitFor(grant, { timeout: 20_000, interval: 5 });
    expect(lease.lost).toMatchObject({ aborted: true, reason: { code: "lease_lost", token: lease.token } });
    stop();
    proxy.thaw();
    await expect(store.append(key, [said("late")], { lease })).rejects.toMatchObject({ code: "lease_lost" });
  });

  it("keeps leases over connections that are cut", async () => {
    const { proxy, url } = await proxied();
    const store = await openStore({ url, max: 2, retryFor: 60_000 });
    const leases = await Promise.all(
      upTo(50).map((number) => store.lease({ conversation: `c${number}` }, { owner: "one", ttl: 20_000 })),
    );
    proxy.cutAfter(() => Math.ceil(Math.random() * 4_000));
    for (const _ of upTo(10)) expect((await store.renew(leases)).lost).toEqual([]);
    proxy.cutAfter(undefined);
    expect(proxy.cuts).toBeGreaterThan(2);
    expect((await store.renew(leases)).renewed).toHaveLength(50);
    expect(leases.some(({ lost }) => lost.aborted)).toBe(false);
  });

  it("closes while the server hangs", async () => {
    const { proxy, url } = await proxied();
    const store = await openStore({ url, max: 2, retryFor: 60_000 });
    await store.append({ conversation: "c" }, [said("before")]);
    proxy.freeze();
    const attempts = [
      store.append({ conversation: "c" }, [said("lost")]),
      followUpTo(store, "c", 5),
      store.load({ conversation: "c" }),
    ];
    const settled = Promise.allSettled(attempts);
    await setTimeout(100);
    await store.close();
    for (const result of await settled)
      expect(result).toMatchObject({ status: "rejected", reason: { code: "closed" } });
  });

  it("lets the process end when it is closed while connections are opening", async () => {
    const { proxy, url } = await proxied();
    const child = runProcess("close-while-hanging-process.ts", url);
    onTestFinished(() => child.kill("SIGKILL"));
    expect(await child.lines.next()).toMatchObject({ value: "ready" });
    proxy.freeze();
    expect(await child.lines.next()).toMatchObject({ value: "closed" });
    const late = setTimeout(20_000, "still there");
    expect(await Promise.race([child.ended, late])).toMatchObject({ code: 0, complaint: "" });
  });

  it("works with a server that closes connections after a short idle time", async () => {
    const { url } = await createDatabase(server.url);
    const name = new URL(url).pathname.slice(1);
    await connected(url, (sql) => sql.unsafe(`ALTER DATABASE ${name} SET idle_session_timeout = 100`));
    const writers = upTo(4).map(async (writer) => {
      // Each store has one connection, which no other call keeps busy.
      const store = await openStore({ url, max: 1, retryFor: 90_000 });
      for (const _ of upTo(25)) {
        await store.append({ conversation: `c${writer}` }, [said("x")]);
        // Some are sent in the moment in which the server gives the connection up.
        await setTimeout(95 + Math.random() * 10);
      }
      expect(await store.load({ conversation: `c${writer}` })).toHaveLength(25);
    });
    await Promise.all(writers);
    expect(server.log().split("idle-session timeout").length).toBeGreaterThan(10);
  });

  /** A new database behind a proxy. */
  async function proxied(): Promise<{ proxy: TcpProxy; url: string }> {
    const database = await createDatabase(server.url);
    const proxy = await tcpProxy(database.url);
    onTestFinished(() => proxy.close());
    return { proxy, url: proxy.url };
  }
});

import { setTimeout } from "node:timers/promises";
import type { Key, Store } from "@cogency/storage";
import { createDatabase, type PostgresServer, startPostgres } from "@tooling/postgres";
import { describeOwnPostgres } from "@tooling/postgres/describe";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { type RunningProcess, runProcess } from "./support/run-process.ts";
import { said } from "./support/samples.ts";
import { tcpProxy } from "./support/tcp-proxy.ts";
import { connected } from "./support/test-role.ts";
import { openStore } from "./support/test-store.ts";

const hour = 3_600_000;
const leased: Key = { conversation: "leased" };
const due: Key = { conversation: "due" };
const patient = { timeout: 40_000, interval: 50 };

describeOwnPostgres("liveness", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
    // No holder is ended in the first seconds of a server.
    await setTimeout(5_000);
  });
  afterAll(() => server?.stop());

  it("lets others take over leases, claims and slots of a killed process before their `ttl` ends", async () => {
    const { url } = await createDatabase(server.url);
    const store = await openStore({ url, liveness: true });
    const process = await prepared(url, store, "live");
    const yields = store.watchWakes()[Symbol.asyncIterator]();
    const woken = yields.next();
    process.kill("SIGKILL");
    await woken;
    const claims = () => store.claim({ owner: "other", limit: 5, ttl: hour });
    const claimed = await vi.waitFor(async () => {
      const found = await claims();
      expect(found).not.toEqual([]);
      return found;
    }, patient);
    const reasons = Object.fromEntries(claimed.map(({ key, reasons }) => [key.conversation, reasons]));
    expect(reasons).toEqual({ leased: ["lease"], due: ["timer:t"] });
    expect(claimed.find(({ key }) => key.conversation === "due")).toMatchObject({ attempts: 2 });
    await (await store.lease(leased, { owner: "other", ttl: hour })).release();
    await vi.waitFor(async () => expect(await slot(store, 1)).not.toBeNull(), patient);
    expect(await slot(store, 1)).toBeNull();
    await yields.return?.();
  });

  it("leaves processes that run, are stopped, or do not use it to their `ttl`", async () => {
    const { url } = await createDatabase(server.url);
    const store = await openStore({ url, liveness: true });
    const [live, plain] = [await prepared(url, store, "live"), await prepared(url, store, "plain", "another")];
    live.kill("SIGSTOP");
    plain.kill("SIGKILL");
    await plain.ended;
    await setTimeout(1_000);
    for (const conversation of ["leased", "another leased"]) {
      const lease = store.lease({ conversation }, { owner: "other", ttl: hour });
      await expect(lease).rejects.toMatchObject({ code: "lease_held" });
    }
    expect(await store.claim({ owner: "other", limit: 5, ttl: hour })).toEqual([]);
    expect(await slot(store, 2)).toBeNull();
  });

  it("keeps the slots of a store that has lost its lock, until their `ttl`", async () => {
    const { url } = await createDatabase(server.url);
    const [store, other] = [await openStore({ url, liveness: true }), await openStore({ url, liveness: true })];
    const kept = await slot(store, 2);
    const theirs = await slot(other, 2);
    const owners = () => connected(url, (sql) => sql`SELECT owner FROM cogency.slots ORDER BY owner DESC`);
    expect(await owners()).toEqual([{ owner: '"me"\n2' }, { owner: '"me"\n1' }]);
    await endLock(url, 1);
    await vi.waitFor(async () => expect(await owners()).toEqual([{ owner: '"me"\n2' }, { owner: '"me"' }]), patient);
    const holders = () => connected(url, (sql) => sql`SELECT id FROM cogency.holders ORDER BY id`);
    await vi.waitFor(async () => expect(await holders()).toEqual([{ id: 2 }, { id: 3 }]), patient);
    expect(await slot(other, 2)).toBeNull();
    expect([await kept?.renew(), await theirs?.renew()]).toEqual([true, true]);
  });

  it("aborts `lost` of all leases when the lock is lost, and takes another lock", async () => {
    const { url } = await createDatabase(server.url);
    const [store, other] = [await openStore({ url, liveness: true }), await openStore({ url, liveness: true })];
    const [one, two] = [
      await store.lease(leased, { owner: "a", ttl: hour }),
      await store.lease(due, { owner: "a", ttl: hour }),
    ];
    const lost = [one.lost, two.lost];
    const theirs = await other.lease({ conversation: "theirs" }, { owner: "b", ttl: hour });
    await endLock(url, 1);
    await vi.waitFor(() => expect(lost.map(({ aborted }) => aborted)).toEqual([true, true]), patient);
    expect(theirs.lost.aborted).toBe(false);
    await vi.waitFor(() => other.lease(leased, { owner: "b", ttl: hour }), patient);
    await expect(store.append(leased, [said("x")], { lease: one })).rejects.toMatchObject({ code: "lease_lost" });
    const holders = () => connected(url, (sql) => sql`SELECT id FROM cogency.holders ORDER BY id`);
    await vi.waitFor(async () => expect(await holders()).toEqual([{ id: 2 }, { id: 3 }]), patient);
  });

  it("lets others take over when the store is closed", async () => {
    const { url } = await createDatabase(server.url);
    const [store, other] = [await openStore({ url, liveness: true }), await openStore({ url, liveness: true })];
    await store.lease(leased, { owner: "a", ttl: hour });
    await store.close();
    await vi.waitFor(() => other.lease(leased, { owner: "b", ttl: hour }), patient);
  });

  it("warns behind a pooler, and uses the `ttl`", async () => {
    const { url } = await createDatabase(server.url);
    const proxy = await tcpProxy(url, true);
    onTestFinished(() => proxy.close());
    const warn = vi.fn();
    const store = await openStore({ url: proxy.url, liveness: true, warn });
    expect(warn.mock.calls).toEqual([[expect.stringContaining("a pooler stands between")]]);
    const lease = await store.lease(leased, { owner: "a", ttl: 100 });
    expect(await connected(url, (sql) => sql`SELECT lease_holder FROM cogency.wakes`)).toEqual([
      { lease_holder: null },
    ]);
    await vi.waitFor(() => store.lease(leased, { owner: "b", ttl: 100 }), patient);
    expect(lease.lost.aborted).toBe(true);
  });

  it("gives the stores of a restarted server time to take their leases again", async () => {
    const own = await startPostgres();
    onTestFinished(() => own.stop());
    const { url } = await createDatabase(own.url);
    const [store, other] = [await openStore({ url, liveness: true }), await openStore({ url, liveness: true })];
    const { lost } = await store.lease(leased, { owner: "a", ttl: hour });
    await own.restart("immediate");
    await vi.waitFor(() => expect(lost.aborted).toBe(true), patient);
    const again = await store.lease(leased, { owner: "a", ttl: hour });
    await expect(other.lease(leased, { owner: "b", ttl: hour })).rejects.toMatchObject({ code: "lease_held" });
    expect(await store.append(leased, [said("x")], { lease: again })).toBe(1);
  });

  it("ends nobody in the time after a start of the server, or after this store has lost its own lock", async () => {
    const { url } = await createDatabase(server.url);
    const store = await openStore({ url });
    await store.append(leased, [said("x")]);
    await connected(url, async (sql) => {
      const far = Number.MAX_SAFE_INTEGER;
      const gone = async (since: number, grace: number) => {
        const [row] = await sql`SELECT cogency.end_holder(0, ${since}, ${grace}) AS gone`;
        return row?.gone;
      };
      // Holder 7 has no lock.
      await sql`INSERT INTO cogency.holders VALUES (7)`;
      await sql`SELECT cogency.grant_lease(sha256(${'null\n"leased"'}::bytea), 'null', '"leased"', '"o"', ${hour}, 7)`;
      expect(await gone(0, far)).toBe(0);
      expect(await gone(far, 0)).toBe(0);
      await expect(store.append(leased, [said("x")])).rejects.toMatchObject({ code: "lease_held" });
      expect(await gone(0, 0)).toBe(1);
      expect(await store.append(leased, [said("x")])).toBe(2);
      expect(await gone(0, 0)).toBe(0);
    });
  });

  it("does not keep a closed store's process, and closes while the server hangs", async () => {
    const { url } = await createDatabase(server.url);
    const proxy = await tcpProxy(url);
    onTestFinished(() => proxy.close());
    const store = await openStore({ url: proxy.url, liveness: true });
    proxy.freeze();
    await store.close();
    proxy.thaw();
    const connections = () =>
      connected(
        url,
        (sql) => sql`SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'cogency'`,
      );
    await vi.waitFor(async () => expect(await connections()).toHaveLength(0), patient);
  });
});

/** Breaks the connection that has the lock of this holder. */
async function endLock(url: string, holder: number): Promise<void> {
  const ended = await connected(
    url,
    (sql) => sql`SELECT pg_terminate_backend(l.pid) FROM pg_locks l
      WHERE locktype = 'advisory' AND objsubid = 2 AND objid = ${holder}
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  expect(ended).toHaveLength(1);
}

function slot(store: Store, limit: number) {
  return store.slot("requests", { limit, owner: "me", ttl: hour });
}

/** A process that holds a lease, a slot and a claim. */
async function prepared(url: string, store: Store, kind: "live" | "plain", prefix = ""): Promise<RunningProcess> {
  const named = (key: Key) => ({ conversation: `${prefix} ${key.conversation}`.trim() });
  await store.append(named(leased), [said("x")]);
  await store.wake(named(due), { id: "t", at: 0 });
  const process = runProcess("live-process.ts", url, kind, named(leased).conversation);
  onTestFinished(() => process.kill("SIGKILL"));
  expect(await process.lines.next()).toMatchObject({ value: "ready" });
  return process;
}

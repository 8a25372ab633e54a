import { rmSync } from "node:fs";
import { join } from "node:path";
import { StatementSync } from "node:sqlite";
import type { Key, Store } from "@cogency/storage";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { said } from "../../test/support/samples.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { sqliteStore } from "../sqlite-store.ts";

const keys = Array.from({ length: 100 }, (_, index): Key => ({ conversation: `${index}`, user: `user ${index % 7}` }));
const [first = { conversation: "" }, second = first] = keys;
/** Milliseconds within which a watcher hears of a change, on a busy machine. */
const patience = 10_000;
/** Milliseconds: longer than the longest pause between two polls of the file. */
const severalPolls = 600;

describe("watching", () => {
  it("wakes only those who watch the conversation, and once per write of this store", async () => {
    const { store } = await stores();
    const counts = watchAll(store, keys);
    await expect.poll(() => total(counts), { timeout: patience }).toBe(100);
    await store.append(first, [said("x")]);
    await expect.poll(() => counts.get(first)).toBe(2);
    await store.post(first, { kind: "cancel" }, { id: "a" });
    await expect.poll(() => counts.get(first)).toBe(3);
    await store.delete(first);
    await expect.poll(() => counts.get(first)).toBe(4);
    expect(total(counts)).toBe(103);
  });

  it("wakes only those who watch the conversation when another connection writes", async () => {
    const { store, other } = await stores();
    const counts = watchAll(store, keys);
    await expect.poll(() => total(counts), { timeout: patience }).toBe(100);
    await other.append(first, [said("x")]);
    await expect.poll(() => counts.get(first), { timeout: patience }).toBe(2);
    await other.post(second, { kind: "cancel" }, { id: "a" });
    await expect.poll(() => counts.get(second), { timeout: patience }).toBe(2);
    await other.delete(second);
    await expect.poll(() => counts.get(second), { timeout: patience }).toBe(3);
    await other.lease(first, { owner: "o", ttl: 1_000 });
    await other.saveProfile("ada", 1);
    await other.wake(first, { id: "a", at: 0 });
    await pause(severalPolls);
    expect(total(counts)).toBe(103);
  });

  it("does not wake again for an own write after another connection has written", async () => {
    const { store, other } = await stores();
    const counts = watchAll(store, [first, second]);
    await expect.poll(() => total(counts), { timeout: patience }).toBe(2);
    await store.append(first, [said("x")]);
    await other.append(second, [said("x")]);
    await expect.poll(() => counts.get(second), { timeout: patience }).toBe(2);
    await pause(severalPolls);
    expect(counts.get(first)).toBe(2);
  });

  it("follows with as many queries for a hundred conversations as for one when another connection writes", async () => {
    const queries: number[] = [];
    for (const count of [1, 100]) {
      const { store, other } = await stores();
      const followed = keys.slice(0, count);
      for (const key of followed) await store.append(key, [said("before")]);
      let seen = 0;
      for (const key of followed) void iterate(store.follow(key, { signal: endOfTest() }), () => (seen += 1));
      await expect.poll(() => seen, { timeout: patience }).toBe(count);
      await pause(severalPolls);
      const calls = vi.spyOn(StatementSync.prototype, "all");
      await other.append(first, [said("after")]);
      await expect.poll(() => seen, { timeout: patience }).toBe(count + 1);
      queries.push(calls.mock.calls.length);
      calls.mockRestore();
    }
    expect(queries[0]).toBe(queries[1]);
  });

  it("misses no change of another connection, however they fall between the reads", async () => {
    const { store, other } = await stores();
    let seen = 0;
    void iterate(store.watch(first, { signal: endOfTest() }), async () => {
      seen = (await store.inbox(first)).length;
    });
    for (let count = 1; count <= 200; count++) {
      await other.post(first, { kind: "cancel" }, { id: `${count}` });
      if (count % 10 === 0) await expect.poll(() => seen, { timeout: patience }).toBe(count);
    }
  });

  it("throws `unavailable` when the file is removed, and `closed` when the store is closed", async () => {
    const { store, path } = await stores();
    const broken = iterate(store.watch(first), () => undefined);
    await pause(20);
    rmSync(path);
    await expect(broken).rejects.toMatchObject({ code: "unavailable" });
    const memory = await sqliteStore({ path: ":memory:" });
    const closed = iterate(memory.watch(first), () => undefined);
    const closedToo = iterate(memory.watchWakes(), () => undefined);
    await pause(20);
    await memory.close();
    await expect(closed).rejects.toMatchObject({ code: "closed" });
    await expect(closedToo).rejects.toMatchObject({ code: "closed" });
  });
});

describe("watching what is due", () => {
  it("yields for another connection's message, timer and ended lease, and not for what makes nothing due", async () => {
    const { store, other } = await stores();
    const claimed: string[] = [];
    let yields = 0;
    void iterate(store.watchWakes({ scope: "agent", signal: endOfTest() }), async () => {
      yields += 1;
      for (const claim of await store.claim({ owner: "o", limit: 10, ttl: 60_000, scope: "agent" })) {
        claimed.push(...claim.reasons);
        await store.done(claim);
      }
    });
    await other.post(first, { kind: "cancel" }, { id: "a", scope: "agent" });
    await expect.poll(() => claimed, { timeout: patience }).toEqual(["inbox"]);
    await other.wake(second, { id: "soon", at: Date.now() + 50, scope: "agent" });
    await expect.poll(() => claimed, { timeout: patience }).toEqual(["inbox", "timer:soon"]);
    await other.lease(second, { owner: "gone", ttl: 50 });
    await expect.poll(() => claimed, { timeout: patience }).toEqual(["inbox", "timer:soon", "lease"]);
    await pause(severalPolls);
    const before = yields;
    for (let index = 0; index < 10; index++) {
      await other.append(first, [said("x")]);
      await other.post(second, { kind: "cancel" }, { id: `${index}`, scope: "another", at: Date.now() + 1e9 });
    }
    await other.wake({ conversation: "elsewhere" }, { id: "a", at: 0, scope: "another" });
    await pause(severalPolls);
    expect(yields).toBe(before);
  });

  it("yields when the claim of another connection ends unsettled", async () => {
    const { store, other } = await stores();
    const signal = endOfTest();
    await store.wake(first, { id: "a", at: 0 });
    let yields = 0;
    let claimed = 0;
    void iterate(store.watchWakes({ signal }), async () => {
      yields += 1;
      // The first time, the other connection claims before this one.
      if (yields > 1) claimed += (await store.claim({ owner: "here", limit: 1, ttl: 60_000 })).length;
    });
    await expect.poll(() => yields, { timeout: patience }).toBe(1);
    expect(await other.claim({ owner: "there", limit: 1, ttl: 1_000 })).toHaveLength(1);
    await expect.poll(() => claimed, { timeout: patience }).toBe(1);
  });
});

/** Two connections to one file, which are closed when the test ends. */
async function stores(): Promise<{ path: string; store: Store; other: Store }> {
  const path = join(temporaryFolder(), "store.db");
  const [store, other] = [await sqliteStore({ path }), await sqliteStore({ path })];
  onTestFinished(async () => {
    await store.close();
    await other.close();
  });
  return { path, store, other };
}

function endOfTest(): AbortSignal {
  const end = new AbortController();
  onTestFinished(() => end.abort());
  return end.signal;
}

/** Counts how often each watcher yields. */
function watchAll(store: Store, watched: readonly Key[]): Map<Key, number> {
  const counts = new Map<Key, number>();
  const signal = endOfTest();
  for (const key of watched) {
    void iterate(store.watch(key, { signal }), () => counts.set(key, (counts.get(key) ?? 0) + 1));
  }
  return counts;
}

async function iterate(values: AsyncIterable<unknown>, each: () => unknown): Promise<void> {
  for await (const _ of values) await each();
}

function total(counts: Map<Key, number>): number {
  return [...counts.values()].reduce((one, other) => one + other, 0);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import type { Store } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { said } from "../../test/support/samples.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { sqliteStore } from "../sqlite-store.ts";

const key = { conversation: "c" };

describe("a store whose file is locked", () => {
  it("waits without blocking, and keeps its writes in the order of the calls", async () => {
    const { store, unlock } = await locked();
    const done: string[] = [];
    const writes = [
      store.append(key, [said("one")]).then((last) => done.push(`append ${last}`)),
      store.saveProfile("u", 1).then((version) => done.push(`profile ${version}`)),
      store.lease({ conversation: "d" }, { owner: "o", ttl: 1_000 }).then(({ token }) => done.push(`lease ${token}`)),
      store.append(key, [said("two")]).then((last) => done.push(`append ${last}`)),
    ];
    let ticks = 0;
    for (const end = performance.now() + 60; performance.now() < end; ticks++) await setTimeout(1);
    expect(ticks).toBeGreaterThan(1);
    expect(done).toEqual([]);
    unlock();
    await Promise.all(writes);
    expect(done).toEqual(["append 1", "profile 1", "lease 1", "append 2"]);
    await store.close();
  });

  it("still reads, and writes at once when the lock is released", async () => {
    const { store, unlock } = await locked();
    const waiting = store.append(key, [said("one")]);
    expect(await store.load(key)).toEqual([]);
    expect(await store.conversations()).toEqual([]);
    unlock();
    expect(await waiting).toBe(1);
    let isDone = false;
    void store.append(key, [said("two")]).then(() => {
      isDone = true;
    });
    // All that promises wait for is done before the next tick, and no timer runs before it.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    expect(isDone).toBe(true);
    await store.close();
  });

  it("works again after a write that timed out", async () => {
    const { store, unlock } = await locked(30);
    const results = await Promise.allSettled([store.append(key, [said("one")]), store.append(key, [said("two")])]);
    expect(results).toMatchObject([
      { status: "rejected", reason: { code: "unavailable" } },
      { status: "rejected", reason: { code: "unavailable" } },
    ]);
    unlock();
    expect(await store.append(key, [said("three")])).toBe(1);
    await store.close();
  });

  it("fails waiting calls with `closed` when it is closed", async () => {
    const { store, unlock } = await locked(Number.POSITIVE_INFINITY);
    const waiting = [store.append(key, [said("one")]), store.saveProfile("u", 1), store.delete(key)];
    const results = Promise.allSettled(waiting);
    await store.close();
    for (const result of await results) expect(result).toMatchObject({ reason: { code: "closed" } });
    unlock();
  });
});

/** A store, and another connection that holds the write lock. */
async function locked(busyTimeout = 30_000): Promise<{ store: Store; unlock: () => void }> {
  const path = join(temporaryFolder(), "store.db");
  const store = await sqliteStore({ path, busyTimeout });
  const other = new DatabaseSync(path);
  other.exec("BEGIN IMMEDIATE");
  return { store, unlock: () => other.close() };
}

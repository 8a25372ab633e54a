import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { said } from "../test/support/samples.ts";
import { temporaryFolder } from "../test/support/temporary-folder.ts";
import { sqliteStore } from "./sqlite-store.ts";

const key = { conversation: "c" };

describe("leases", () => {
  it("expire by the clock of the store", async () => {
    let now = 1_000;
    const store = await sqliteStore({ path: ":memory:", clock: () => now });
    const lease = await store.lease(key, { owner: "one", ttl: 500 });
    expect(lease.expiresAt).toBe(1_500);
    now = 1_499;
    expect(await store.append(key, [said("in time")], { lease })).toBe(1);
    now = 1_500;
    await expect(store.append(key, [said("late")], { lease })).rejects.toMatchObject({ code: "lease_lost" });
    await expect(lease.renew()).rejects.toMatchObject({ code: "lease_lost" });
    expect(await store.append(key, [said("free")])).toBe(2);
    await store.close();
  });

  it("never reuse a token, even after all leases ended and the file was closed", async () => {
    const path = join(temporaryFolder(), "store.db");
    const store = await sqliteStore({ path });
    const first = await store.lease(key, { owner: "one", ttl: 1_000 });
    await first.release();
    await store.delete(key);
    await store.close();
    const reopened = await sqliteStore({ path });
    expect((await reopened.lease(key, { owner: "one", ttl: 1_000 })).token).toBe(first.token + 1);
    await reopened.close();
  });

  it("are renewed in one transaction, however many they are", async () => {
    const path = join(temporaryFolder(), "store.db");
    const store = await sqliteStore({ path });
    const leases = await Promise.all(
      Array.from({ length: 1_000 }, (_, index) =>
        store.lease({ conversation: `c${index}` }, { owner: "one", ttl: 60_000 }),
      ),
    );
    const other = new DatabaseSync(path);
    const version = () => other.prepare("PRAGMA data_version").get()?.data_version;
    version();
    const wal = statSync(`${path}-wal`).size;
    const before = version();
    expect(await store.renew(leases, 120_000)).toMatchObject({ renewed: { length: 1_000 }, lost: [] });
    expect(version()).not.toBe(before);
    expect(statSync(`${path}-wal`).size - wal).toBeLessThan(1_000_000);
    other.close();
    await store.close();
  });

  it("let a listener of `lost` use the store at once", async () => {
    const store = await sqliteStore({ path: ":memory:" });
    const lease = await store.lease(key, { owner: "one", ttl: 60_000 });
    const next = await store.lease(key, { owner: "one", ttl: 60_000 });
    const appended = new Promise((resolve) =>
      lease.lost.addEventListener("abort", () => resolve(store.append(key, [said("next")], { lease: next }))),
    );
    await expect(store.append(key, [said("late")], { lease })).rejects.toMatchObject({ code: "lease_lost" });
    expect(await appended).toBe(1);
    await store.close();
  });

  it("throw `corrupt` if the owner is damaged", async () => {
    const path = join(temporaryFolder(), "store.db");
    const store = await sqliteStore({ path });
    await store.lease(key, { owner: "one", ttl: 60_000 });
    const other = new DatabaseSync(path);
    other.exec("UPDATE leases SET owner = 'one'");
    other.close();
    await expect(store.append(key, [said("x")])).rejects.toMatchObject({ code: "corrupt" });
    await store.close();
  });
});

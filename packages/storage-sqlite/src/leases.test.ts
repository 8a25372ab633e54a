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

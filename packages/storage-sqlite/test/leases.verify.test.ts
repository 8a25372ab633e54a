import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { sqliteStore } from "../src/index.ts";
import { otherProcess } from "./support/other-process.ts";
import { contentsOf, said } from "./support/samples.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const key = { conversation: "c" };

describe("a lease that another process holds", () => {
  it("outlives its killed holder, and a process with the same owner takes it over at once", async () => {
    const path = join(temporaryFolder(), "store.db");
    const holder = otherProcess(path);
    const held = await holder.lease(key, { owner: "worker 1", ttl: 600_000 });
    await holder.append(key, [said("before")], { lease: held });
    await holder.signal("SIGKILL");

    const store = await sqliteStore({ path });
    const refusal = { code: "lease_held", owner: "worker 1", expiresAt: held.expiresAt };
    await expect(store.lease(key, { owner: "worker 2", ttl: 1_000 })).rejects.toMatchObject(refusal);
    await expect(store.append(key, [said("without")])).rejects.toMatchObject(refusal);
    const lease = await store.lease(key, { owner: "worker 1", ttl: 600_000 });
    expect(lease.token).toBeGreaterThan(held.token);
    expect(await store.append(key, [said("after")], { lease })).toBe(2);
    await expect(store.append(key, [said("too late")], { lease: held })).rejects.toMatchObject({ code: "lease_lost" });
    await store.close();
  });

  it("can go to any owner after the lease of its killed holder expired", async () => {
    const path = join(temporaryFolder(), "store.db");
    const holder = otherProcess(path);
    const held = await holder.lease(key, { owner: "worker 1", ttl: 300 });
    await holder.signal("SIGKILL");
    await setTimeout(held.expiresAt - Date.now() + 1);
    const store = await sqliteStore({ path });
    const lease = await store.lease(key, { owner: "worker 2", ttl: 600_000 });
    expect(lease.token).toBeGreaterThan(held.token);
    await store.close();
  });

  it("is lost if its holder was stopped for too long: the holder cannot append when it continues", async () => {
    const path = join(temporaryFolder(), "store.db");
    const holder = otherProcess(path);
    const held = await holder.lease(key, { owner: "worker 1", ttl: 300 });
    await holder.signal("SIGSTOP");
    const late = holder.append(key, [said("too late")], { lease: held, batch: "late" });
    const refused = expect(late).rejects.toMatchObject({ code: "lease_lost", token: held.token });
    await setTimeout(held.expiresAt - Date.now() + 1);
    const store = await sqliteStore({ path });
    const lease = await store.lease(key, { owner: "worker 2", ttl: 600_000 });
    await store.append(key, [said("of the second")], { lease });
    await holder.signal("SIGCONT");
    await refused;
    await expect(holder.renew()).rejects.toMatchObject({ code: "lease_lost" });
    expect(contentsOf(await store.load(key))).toEqual(["of the second"]);
    await lease.release();
    await expect(holder.append(key, [said("still")], { lease: held })).rejects.toMatchObject({ code: "lease_lost" });
    await store.close();
  });

  it("is lost for a holder that was stopped for too long before the holder asks the store", async () => {
    const path = join(temporaryFolder(), "store.db");
    const holder = otherProcess(path);
    const held = await holder.lease(key, { owner: "worker 1", ttl: 500 });
    expect(await holder.isLost()).toBe(false);
    await holder.signal("SIGSTOP");
    await setTimeout(held.expiresAt - Date.now() + 1);
    await holder.signal("SIGCONT");
    expect(await holder.isLost()).toBe(true);
  });

  it("goes to one of four processes that ask at once, and the tokens of all leases differ", async () => {
    const path = join(temporaryFolder(), "store.db");
    const others = Array.from({ length: 4 }, () => otherProcess(path));
    const asked = await Promise.allSettled(
      others.map((other, index) => other.lease(key, { owner: `worker ${index}`, ttl: 600_000 })),
    );
    expect(asked.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected", "rejected"]);
    const own = await Promise.all(
      others.map((other, index) => other.lease({ conversation: `own ${index}` }, { owner: "same", ttl: 600_000 })),
    );
    const tokens = [...asked.flatMap((one) => (one.status === "fulfilled" ? [one.value] : [])), ...own];
    expect(new Set(tokens.map(({ token }) => token)).size).toBe(5);
  });
});

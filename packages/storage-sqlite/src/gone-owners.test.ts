import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Store } from "@cogency/storage";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { said } from "../test/support/samples.ts";
import { leaseOwner } from "./lease-owner.ts";
import { sqliteStore } from "./sqlite-store.ts";

const key = { conversation: "c" };
const hour = 3_600_000;
const alive = `${leaseOwner()}#other`;
let dead = "";

beforeAll(async () => {
  const child = spawn(process.execPath, ["-e", ""]);
  await once(child, "exit");
  dead = `${leaseOwner().replace(`process ${process.pid}`, `process ${child.pid}`)}#run`;
});

async function opened(): Promise<Store> {
  const store = await sqliteStore({ path: ":memory:" });
  onTestFinished(() => store.close());
  return store;
}

describe("what a process has left behind that has ended", () => {
  it("calls itself by the name of its process", async () => {
    expect((await opened()).owner).toBe(leaseOwner());
  });

  it("is no lease: another owner gets it at once, and the one before cannot append", async () => {
    const store = await opened();
    const before = await store.lease(key, { owner: dead, ttl: hour });
    const lease = await store.lease(key, { owner: alive, ttl: hour });
    expect(lease.token).toBeGreaterThan(before.token);
    await expect(store.append(key, [said("late")], { lease: before })).rejects.toMatchObject({ code: "lease_lost" });
  });

  it("is due: its conversation can be claimed at once, for its lease", async () => {
    const store = await opened();
    await store.append(key, [said("go")]);
    await store.lease(key, { owner: dead, ttl: hour });
    const [claim] = await store.claim({ owner: alive, limit: 1, ttl: hour });
    expect(claim).toMatchObject({ key, reasons: ["lease"], attempts: 1 });
  });

  it("is no claim: another worker claims it at once, which counts as one more attempt", async () => {
    const store = await opened();
    await store.wake(key, { id: "t", at: 0 });
    const [before] = await store.claim({ owner: dead, limit: 1, ttl: hour });
    await after300();
    const [claim] = await store.claim({ owner: alive, limit: 1, ttl: hour });
    expect(claim).toMatchObject({ key, reasons: ["timer:t"], attempts: 2 });
    expect(before && (await store.done(before))).toBe(false);
  });

  it("is due where it was put off until its lease would end", async () => {
    const store = await opened();
    const holder = await living();
    await store.append(key, [said("go")]);
    const lease = await store.lease(key, { owner: `${holder.name}#run`, ttl: hour });
    await store.post(key, { kind: "prompt", content: "?" }, { id: "m" });
    const [claim] = await store.claim({ owner: alive, limit: 1, ttl: hour });
    expect(claim && (await store.defer(claim, lease.expiresAt))).toBe(true);
    await after300();
    expect(await store.claim({ owner: alive, limit: 1, ttl: hour })).toEqual([]);
    await holder.kill();
    await after300();
    expect(await store.claim({ owner: alive, limit: 1, ttl: hour })).toHaveLength(1);
  });

  it("is no slot", async () => {
    const store = await opened();
    expect(await store.slot("s", { limit: 1, owner: dead, ttl: hour })).not.toBeNull();
    await after300();
    expect(await store.slot("s", { limit: 1, owner: alive, ttl: hour })).not.toBeNull();
    await after300();
    expect(await store.slot("s", { limit: 1, owner: alive, ttl: hour })).toBeNull();
  });

  it("is nothing that a living process owns, or an owner of another name", async () => {
    for (const owner of [alive, leaseOwner(), "worker 1", "process 1"]) {
      const store = await opened();
      await store.append(key, [said("go")]);
      await store.lease(key, { owner, ttl: hour });
      await expect(store.lease(key, { owner: "another", ttl: hour })).rejects.toMatchObject({ code: "lease_held" });
      expect(await store.claim({ owner: "another", limit: 1, ttl: hour })).toEqual([]);
    }
  });
});

/** A process that waits to be killed, and its name. */
async function living(): Promise<{ name: string; kill(): Promise<void> }> {
  const program = `import { leaseOwner } from "./lease-owner.ts"; console.log(leaseOwner()); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], { cwd: import.meta.dirname });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [name] = await once(child.stdout, "data");
  return {
    name: String(name).trim(),
    async kill() {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** The store looks for ended processes three times a second. */
function after300(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 320));
}

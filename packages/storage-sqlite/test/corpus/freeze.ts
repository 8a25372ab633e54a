import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Claim, Store } from "@cogency/storage";
import { sqliteStore } from "../../src/index.ts";
import {
  claimOptions,
  deferredTo,
  deletedKeys,
  type FrozenBatch,
  frozenBatches,
  frozenPosts,
  frozenTimers,
  grantedLeases,
  heldSlot,
  lateBatches,
  parkedReason,
  savedProfiles,
  scopeOf,
  takenIds,
  takingKey,
} from "./contents.ts";
import { distinct, type FrozenStore, type FrozenWakes, readStore } from "./frozen-store.ts";

// Writes schema-<version>.db and schema-<version>.json beside this file, for the version of the present source.
const fresh = fileURLToPath(new URL("fresh.db", import.meta.url));
rmSync(fresh, { force: true });
const store = await sqliteStore({ path: fresh });
const frozen = await fill(store);
await store.close();

// In the header of the file, where `PRAGMA user_version` is.
const schema = readFileSync(fresh).readUInt32BE(60);
const [database, json] = ["db", "json"].map((end) =>
  fileURLToPath(new URL(`schema-${schema}.${end}`, import.meta.url)),
);
if (database === undefined || json === undefined || existsSync(database)) {
  throw new Error(`Schema ${schema} is frozen already: a corpus file is never written again.`);
}
if (readFileSync(fresh).includes(process.cwd())) throw new Error("The file holds a path of this machine.");
renameSync(fresh, database);
writeFileSync(json, `${JSON.stringify({ schema, ...frozen } satisfies FrozenStore, null, 2)}\n`);
console.log(`${database} and its .json are written.`);

async function fill(store: Store): Promise<Omit<FrozenStore, "schema">> {
  const batches = await append(store, frozenBatches());
  for (const user of [undefined, "", "ada", "grace"]) await store.search("quokka", { user });
  batches.push(...(await append(store, lateBatches())));
  for (const key of deletedKeys) await store.delete(key);
  for (const { user, profile, version } of savedProfiles) {
    for (let save = 1; save <= version; save++) await store.saveProfile(user, profile);
  }
  const leases: FrozenStore["leases"] = [];
  for (const { key, ...options } of grantedLeases) {
    const { owner, token, expiresAt } = await store.lease(key, options);
    leases.push({ key, owner, token, expiresAt });
  }
  const wakes = await fillWakes(store);
  const keys = [...frozenBatches().map(({ key }) => key), takingKey];
  const isDeleted = new Set(deletedKeys.map((key) => JSON.stringify(key)));
  const keptBatches = batches.filter(({ key }) => !isDeleted.has(JSON.stringify(key)));
  return { ...(await readStore(store, keys)), batches: keptBatches, profiles: savedProfiles, leases, wakes };
}

async function fillWakes(store: Store): Promise<FrozenWakes> {
  const posts = frozenPosts();
  for (const { key, message, ...options } of posts) await store.post(key, message, options);
  const said = { type: "user", content: "What the message said.", timestamp: 1_700_000_020 } as const;
  await store.append(takingKey, [said], { takes: takenIds, batch: "taking" });
  for (const { key, ...timer } of frozenTimers()) await store.wake(key, { ...timer, scope: scopeOf(key) });
  await store.slot(heldSlot.name, heldSlot);

  const claim = await claimOf(store, "claimed");
  await store.defer(await claimOf(store, "deferred"), deferredTo);
  await store.park(await claimOf(store, "parked"), parkedReason);
  const inboxes: FrozenWakes["inboxes"] = [];
  for (const key of distinct(posts.map(({ key }) => key))) inboxes.push({ key, messages: await store.inbox(key) });
  const later: FrozenWakes["later"] = [];
  for (const conversation of ["waits", "claimed", "deferred"]) {
    const scope = scopeOf({ conversation });
    later.push({ scope, at: (await store.nextWake({ scope })) ?? Number.NaN });
  }
  const key = { conversation: "due", user: "ada" };
  const isDue = frozenTimers().filter((timer) => timer.key.conversation === "due" && timer.id !== "later");
  const reasons = isDue.map(({ id }) => `timer:${id}`).sort();
  const scope = scopeOf({ conversation: "parked" });
  const parked = { scope, parked: await store.parked({ scope }) };
  return { inboxes, posts, later, due: { scope: scopeOf(key), key, reasons }, claim, parked };
}

async function claimOf(store: Store, conversation: string): Promise<Claim> {
  const [claim] = await store.claim({ ...claimOptions, scope: scopeOf({ conversation }) });
  if (!claim) throw new Error(`${conversation} is not due.`);
  return claim;
}

/** The ids of those that have one, and what `append` returned. */
async function append(store: Store, batches: readonly FrozenBatch[]): Promise<FrozenStore["batches"]> {
  const stored: FrozenStore["batches"] = [];
  for (const { key, events, batch } of batches) {
    const result = await store.append(key, events, { batch });
    if (batch !== undefined) stored.push({ key, batch, result });
  }
  return stored;
}

import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Store } from "@cogency/storage";
import { sqliteStore } from "../../src/index.ts";
import { deletedKeys, type FrozenBatch, frozenBatches, grantedLeases, lateBatches, savedProfiles } from "./contents.ts";
import { type FrozenStore, readStore } from "./frozen-store.ts";

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
  const keys = frozenBatches().map(({ key }) => key);
  const isDeleted = new Set(deletedKeys.map((key) => JSON.stringify(key)));
  const keptBatches = batches.filter(({ key }) => !isDeleted.has(JSON.stringify(key)));
  return { ...(await readStore(store, keys)), batches: keptBatches, profiles: savedProfiles, leases };
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

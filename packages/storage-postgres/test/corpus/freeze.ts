import { existsSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Store } from "@cogency/storage";
import { createDatabase, dumpSchema, startPostgres } from "@tooling/postgres";
import postgres from "postgres";
import { postgresStore } from "../../src/index.ts";
import {
  deletedKeys,
  frozenBatches,
  frozenLease,
  frozenMessages,
  frozenParked,
  frozenProfiles,
  frozenScope,
  frozenTaken,
  frozenTimer,
} from "./contents.ts";
import { type FrozenStore, type FrozenWork, readStore, readWork } from "./frozen-store.ts";

// Writes schema-<version>.sql and schema-<version>.json beside this file, for the version of the present source.
const server = await startPostgres();
try {
  const { url } = await createDatabase(server.url);
  const frozen = await fill(url);
  const [sql, json] = ["sql", "json"].map((end) =>
    fileURLToPath(new URL(`schema-${frozen.schema}.${end}`, import.meta.url)),
  );
  if (sql === undefined || json === undefined || existsSync(sql)) {
    throw new Error(`Schema ${frozen.schema} is frozen already: a corpus file is never written again.`);
  }
  writeFileSync(sql, dumpSchema(url, "cogency"));
  writeFileSync(json, `${JSON.stringify(frozen)}\n`);
  console.log(`${sql} and its .json are written.`);
} finally {
  await server.stop();
}

async function fill(url: string): Promise<FrozenStore> {
  const store = await postgresStore({ url });
  const batches: FrozenStore["batches"] = [];
  for (const { key, events, batch } of frozenBatches()) {
    const result = await store.append(key, events, { batch });
    if (batch !== undefined) batches.push({ key, batch, result });
    // So that the search index contains some of the events, and not all.
    if (batch === "large") await store.search("bilby", { user: key.user });
  }
  await store.search("numbat", { user: "ada" });
  for (const key of deletedKeys) await store.delete(key);
  for (const { user, profile } of frozenProfiles) await store.saveProfile(user, profile);
  const century = 100 * 365 * 24 * 60 * 60 * 1000;
  const { token } = await store.lease(frozenLease.key, { owner: frozenLease.owner, ttl: century });
  const isDeleted = new Set(deletedKeys.map((key) => JSON.stringify(key)));
  const work = await fillWork(store);
  const keys = [...frozenBatches().map(({ key }) => key), frozenTaken.key];
  const contents = await readStore(store, keys);
  await store.close();
  const kept = batches.filter(({ key }) => !isDeleted.has(JSON.stringify(key)));
  return { schema: await versionIn(url), ...contents, batches: kept, token, work };
}

async function fillWork(store: Store): Promise<FrozenWork> {
  const scope = frozenScope;
  const { key, id, message } = frozenTaken;
  await store.post(key, message, { id, scope });
  await store.append(key, [{ type: "user", content: message.content, timestamp: 1 }], { takes: [id] });
  await store.wake(frozenParked.key, { id: "parked", at: 0, scope });
  const [claim] = await store.claim({ owner: "freeze", limit: 1, ttl: 60_000, scope });
  if (!claim) throw new Error("Nothing is due.");
  await store.park(claim, frozenParked.reason);
  for (const one of frozenMessages) await store.post(one.key, one.message, { id: one.id, at: one.at, scope });
  await store.wake(frozenTimer.key, { id: frozenTimer.id, at: frozenTimer.at, scope });
  return readWork(
    store,
    frozenMessages.map((one) => one.key),
  );
}

async function versionIn(url: string): Promise<number> {
  const sql = postgres(url, { max: 1 });
  const [row] = await sql`SELECT version FROM cogency.cogency_version`;
  await sql.end();
  return Number(row?.version);
}

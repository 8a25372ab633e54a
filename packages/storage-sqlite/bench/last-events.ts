import { join } from "node:path";
import type { Key, Store } from "@cogency/storage";
import { compare, type Target } from "@tooling/bench";
import { sqliteStore } from "../src/index.ts";
import { eventsOf } from "./events.ts";

const key: Key = { conversation: "c" };
const loads = 100;

export async function lastEvents(folder: string): Promise<Target[]> {
  const small = await storeOf(join(folder, "small.db"), 1_000);
  const large = await storeOf(join(folder, "large.db"), 1_000_000);
  const [, ours] = await compare("load the last 40 events", { rounds: 15 }, [
    { name: "of 1,000", floor: true, operations: loads, run: () => loadLast(small) },
    { name: "of 1,000,000", operations: loads, run: () => loadLast(large) },
  ]);
  await small.close();
  await large.close();
  return [{ what: "last 40 of 1,000,000 beside 1,000", value: ours?.ratio ?? Number.NaN, unit: "×", most: 1.5 }];
}

async function storeOf(path: string, count: number): Promise<Store> {
  const store = await sqliteStore({ path });
  const batch = eventsOf(1_000);
  for (let stored = 0; stored < count; stored += batch.length) await store.append(key, batch);
  return store;
}

async function loadLast(store: Store): Promise<void> {
  for (let load = 0; load < loads; load++) await store.load(key, { last: 40 });
}

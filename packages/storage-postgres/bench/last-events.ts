import type { LogEvent } from "@cogency/protocol";
import type { Key, Store } from "@cogency/storage";
import type { Target } from "@tooling/bench";
import { postgresStore } from "../src/index.ts";
import { compareByTheClock } from "./by-the-clock.ts";

const loads = 100;

export async function lastEvents(url: string): Promise<Target[]> {
  const store = await postgresStore({ url });
  const [small, large] = [{ conversation: "small" }, { conversation: "large" }];
  await fill(store, small, 1_000);
  await fill(store, large, 1_000_000);
  const [ratio = Number.NaN] = await compareByTheClock(
    "load the last 40 events",
    { rounds: 25, operations: loads },
    { name: "of 1,000", run: () => loadLast(store, small) },
    { name: "of 1,000,000", run: () => loadLast(store, large) },
  );
  await store.close();
  return [{ what: "last 40 of 1,000,000 beside 1,000", value: ratio, unit: "×", most: 1.5 }];
}

/** Short events, so that writing a million takes little time. */
async function fill(store: Store, key: Key, count: number): Promise<void> {
  const batch = Array.from(
    { length: 1_000 },
    (_, index): LogEvent => ({ type: "respond", content: `Answer ${index}`, timestamp: 1_700_000_000.5 }),
  );
  for (let stored = 0; stored < count; stored += batch.length) await store.append(key, batch);
}

async function loadLast(store: Store, key: Key): Promise<void> {
  for (let load = 0; load < loads; load++) await store.load(key, { last: 40 });
}

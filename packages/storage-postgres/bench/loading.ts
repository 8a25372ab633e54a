import type { Target } from "@tooling/bench";
import { postgresStore } from "../src/index.ts";
import { bareLog } from "./bare-log.ts";
import { compareByTheClock } from "./by-the-clock.ts";
import { eventsOf } from "./events.ts";

const events = 10_000;

export async function loading(url: string): Promise<Target[]> {
  const bare = await bareLog(url);
  const store = await postgresStore({ url });
  const key = { conversation: "to load" };
  for (let stored = 0; stored < events; stored += 1_000) {
    await bare.append(eventsOf(1_000));
    await store.append(key, eventsOf(1_000));
  }
  const [ratio = Number.NaN] = await compareByTheClock(
    `load a conversation of ${events.toLocaleString("en-US")} events`,
    { rounds: 25, operations: events },
    { name: "bare postgres and JSON.parse", run: () => bare.load() },
    { name: "postgresStore", run: () => store.load(key) },
  );
  await bare.close();
  await store.close();
  return [{ what: "load 10,000 events", value: 100 / ratio, unit: "%", least: 70 }];
}

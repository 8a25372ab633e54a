import { join } from "node:path";
import { compare, type Target } from "@tooling/bench";
import { sqliteStore } from "../src/index.ts";
import { bareLog, packedName, plainName } from "./bare-log.ts";
import { eventsOf } from "./events.ts";

const events = 10_000;

export async function loading(folder: string): Promise<Target[]> {
  const plain = bareLog(join(folder, "plain-load.db"), "plain");
  const packed = bareLog(join(folder, "packed-load.db"), "packed");
  for (const bare of [plain, packed]) bare.append(eventsOf(events));
  const store = await sqliteStore({ path: join(folder, "load.db") });
  const key = { conversation: "c" };
  await store.append(key, eventsOf(events));
  const [, , ours] = await compare(`load a conversation of ${events.toLocaleString("en-US")} events`, { rounds: 15 }, [
    { name: plainName, floor: true, operations: events, run: () => plain.load() },
    { name: packedName, operations: events, run: () => packed.load() },
    { name: "sqliteStore", operations: events, run: () => store.load(key) },
  ]);
  plain.close();
  packed.close();
  await store.close();
  return [{ what: "load 10,000 events", value: 100 / (ours?.ratio ?? Number.NaN), unit: "%", least: 70 }];
}

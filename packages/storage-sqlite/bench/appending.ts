import { join } from "node:path";
import type { Store } from "@cogency/storage";
import { compare, type Target } from "@tooling/bench";
import { sqliteStore } from "../src/index.ts";
import { type BareLog, bareLog, packedName, plainName } from "./bare-log.ts";
import { eventsOf } from "./events.ts";

/** Events in one measurement. */
const events = 1_000;

export async function appending(folder: string): Promise<Target[]> {
  const targets: Target[] = [];
  for (const size of [1, 10, 100]) {
    const plain = bareLog(join(folder, `plain-${size}.db`), "plain");
    const packed = bareLog(join(folder, `packed-${size}.db`), "packed");
    const store = await sqliteStore({ path: join(folder, `append-${size}.db`) });
    const [, , ours] = await compare(`append events, ${size} per commit`, { rounds: 15 }, [
      { name: plainName, floor: true, operations: events, run: () => appendBare(plain, size) },
      { name: packedName, operations: events, run: () => appendBare(packed, size) },
      { name: "sqliteStore", operations: events, run: () => appendAll(store, size) },
    ]);
    plain.close();
    packed.close();
    await store.close();
    targets.push({
      what: `append, ${size} per commit`,
      value: 100 / (ours?.ratio ?? Number.NaN),
      unit: "%",
      least: 80,
    });
  }
  return targets;
}

function appendBare(bare: BareLog, size: number): void {
  const batch = eventsOf(size);
  for (let count = 0; count < events; count += size) bare.append(batch);
}

async function appendAll(store: Store, size: number): Promise<void> {
  const batch = eventsOf(size);
  for (let count = 0; count < events; count += size) await store.append({ conversation: "c" }, batch);
}

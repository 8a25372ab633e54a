import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { StatementSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import type { Key, Store } from "@cogency/storage";
import { columns, cpuTime, type Target } from "@tooling/bench";
import { sqliteStore } from "../src/index.ts";
import { eventsOf } from "./events.ts";

const watchers = 1_000;
const writes = 40;

/** What a write costs a process in which a thousand conversations are watched, each by one watcher. */
export async function watching(folder: string): Promise<Target[]> {
  const rows = [["1,000 watchers, per write", "queries", "CPU ms"]];
  for (const method of ["follow", "watch"] as const) {
    const path = join(folder, `${method}.db`);
    const store = await sqliteStore({ path });
    for (let index = 0; index < watchers; index++) await store.append(keyOf(index), eventsOf(2));
    const leaving = new AbortController();
    let seen = 0;
    const watched = Array.from({ length: watchers }, async (_, index) => {
      for await (const _ of store[method](keyOf(index), { signal: leaving.signal })) seen += 1;
    });
    await pause();
    const cost = async (write: (index: number) => Promise<unknown>) => {
      const before = { queries: countQueries(), cpu: cpuTime(), seen };
      for (let index = 0; index < writes; index++) {
        const known = seen;
        await write(index);
        while (seen === known) await pause(1);
        await pause(20);
      }
      return [((countQueries() - before.queries) / writes).toFixed(0), ((cpuTime() - before.cpu) / writes).toFixed(2)];
    };
    rows.push([`${method}, this store writes`, ...(await cost((index) => append(store, index)))]);
    const other = spawn(process.execPath, [fileURLToPath(new URL("append-when-asked.ts", import.meta.url)), path]);
    rows.push([
      `${method}, another process writes`,
      ...(await cost(async (index) => {
        other.stdin.write(`${keyOf(index).conversation}\n`);
        await once(other.stdout, "data");
      })),
    ]);
    other.stdin.end();
    leaving.abort();
    await Promise.all(watched);
    await store.close();
  }
  console.log(`${columns(rows).join("\n")}\n`);
  return [];
}

function append(store: Store, index: number): Promise<number> {
  return store.append(keyOf(index), eventsOf(1));
}

function keyOf(index: number): Key {
  return { conversation: `watched ${index}` };
}

function pause(milliseconds = 100): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

let queries = 0;
for (const method of ["get", "all", "run"] as const) {
  const original = StatementSync.prototype[method];
  StatementSync.prototype[method] = function (this: StatementSync, ...parameters: never[]) {
    queries += 1;
    return Reflect.apply(original, this, parameters);
  } as never;
}

function countQueries(): number {
  return queries;
}

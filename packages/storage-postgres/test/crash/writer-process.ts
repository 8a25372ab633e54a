import { writeSync } from "node:fs";
import type { Key, Lease } from "@cogency/storage";
import { postgresStore } from "../../src/index.ts";
import { batchOf, ownKeys, sharedKey } from "./batches.ts";

/** One line of a writer's report: an operation before it starts, or its result when the store has acknowledged it. */
export type Report = { begin: Operation } | { done: number };

export type Operation =
  | { kind: "append"; key: Key; name: string; count: number }
  | { kind: "lease"; key: Key }
  | { kind: "profile"; name: string }
  | { kind: "search"; text: string };

// Arguments: the address of the database, the writer's name, the name of this run. Works until it is killed.
const [url = "", writer = "", run = ""] = process.argv.slice(2);
const [first, second] = ownKeys(writer);
// Long enough for a server that recovers on a busy machine.
const store = await postgresStore({ url, max: 3, retryFor: 60_000 });
let lease: Lease | undefined;
for (let index = 1; ; index++) {
  const operation = operationOf(index);
  report({ begin: operation });
  report({ done: await perform(operation) });
}

function operationOf(index: number): Operation {
  const name = nameOf(index);
  if (!lease || index % 60 === 0) return { kind: "lease", key: second };
  if (index % 25 === 0) return { kind: "profile", name };
  if (index % 40 === 0) return { kind: "search", text: nameOf(Math.ceil(Math.random() * index)) };
  const key = [sharedKey, first, second][index % 3] ?? sharedKey;
  return { kind: "append", key, name, count: 1 + Math.floor(Math.random() ** 3 * 20) };
}

/** No name begins with another, as words of a search would match. */
function nameOf(index: number): string {
  return `${run}o${String(index).padStart(6, "0")}`;
}

async function perform(operation: Operation): Promise<number> {
  switch (operation.kind) {
    case "append": {
      const { key, name, count } = operation;
      // Half of the batches have an id; the store must retry the others just as safely.
      const batch = Math.random() < 0.5 ? name : undefined;
      return store.append(key, batchOf(name, count), { batch, ...(key === second ? { lease } : {}) });
    }
    case "lease":
      lease = await store.lease(operation.key, { owner: writer, ttl: 600_000 });
      return lease.token;
    case "profile":
      return store.saveProfile(writer, operation.name);
    case "search":
      return (await store.search(operation.text, { user: "ada" })).length;
  }
}

/**
 * Writes synchronously: every reported operation was acknowledged, and EPIPE ends this process when its parent is gone.
 */
function report(line: Report): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

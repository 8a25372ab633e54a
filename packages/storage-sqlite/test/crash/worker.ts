import { writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import type { Lease, Store } from "@cogency/storage";
import { sqliteStore } from "../../src/index.ts";
import { randomOf } from "../support/random.ts";
import { eventsOf, messageOf, type Operation, type Report, randomOperation } from "./operations.ts";

// Arguments: the path of the database, the writer's name, the name of this run, a seed, the durability. Works until it
// is killed, or until its parent stops reading.
const [path = "", writer = "", run = "", seed = "0", durability = "process"] = process.argv.slice(2);
flushCompileCache();
const random = randomOf(Number(seed));
const leases = new Map<string, Lease>();
const store = await sqliteStore({
  path,
  busyTimeout: 60_000,
  durability: durability === "power" ? "power" : "process",
});
for (let index = 1; ; index++) {
  const operation = randomOperation(random, writer, run, index);
  report({ begin: operation });
  report({ done: await perform(store, operation) });
}

async function perform(store: Store, operation: Operation): Promise<number> {
  switch (operation.kind) {
    case "append": {
      const { key, name, count, hasBatchId, takesMessage } = operation;
      const lease = leases.get(JSON.stringify(key));
      if (takesMessage) await store.post(key, messageOf(name), { id: name });
      const takes = takesMessage ? [name] : [];
      return store.append(key, eventsOf(name, count), { lease, batch: hasBatchId ? name : undefined, takes });
    }
    case "delete":
      leases.delete(JSON.stringify(operation.key));
      return Number(await store.delete(operation.key));
    case "lease": {
      const lease = await store.lease(operation.key, { owner: writer, ttl: 600_000 });
      leases.set(JSON.stringify(operation.key), lease);
      return lease.token;
    }
    case "release":
      await leases.get(JSON.stringify(operation.key))?.release();
      leases.delete(JSON.stringify(operation.key));
      return 0;
    case "saveProfile":
      return store.saveProfile(operation.user, { text: operation.text });
    case "deleteProfile":
      return Number(await store.deleteProfile(operation.user));
    case "search":
      return (await store.search(operation.text, { user: operation.user })).length;
  }
}

/**
 * Writes synchronously: every reported operation was acknowledged, and EPIPE ends this process when its parent is gone.
 */
function report(line: Report): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

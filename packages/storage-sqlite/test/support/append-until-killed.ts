import { writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { sqliteStore } from "../../src/index.ts";
import { batchOf } from "./samples.ts";

// Arguments: the path of the database, the name of the round.
const [path = "", round = ""] = process.argv.slice(2);

flushCompileCache();
const store = await sqliteStore({ path });
for (let index = 1; ; index++) {
  const last = await store.append({ conversation: "c" }, batchOf(`${round}.${index}`), { batch: `${round}.${index}` });
  // Written synchronously: every printed line was acknowledged, and EPIPE ends this process when its parent is gone.
  writeSync(1, `${last}\n`);
}

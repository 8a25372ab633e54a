import { writeSync } from "node:fs";
import { openStore } from "./open-store.ts";
import { agentOf, conversation, type PlanName } from "./task.ts";

// Arguments: the address of the store, the path of the file of effects, the plan, and the number of the mark at which the process kills itself.
// It begins the task, or recovers it if it has begun. Standard output has the name of the mark.
const [address = "", effects = "", plan = "", last = ""] = process.argv.slice(2);
const store = await openStore(address);
let marks = 0;
const agent = agentOf(store, effects, plan as PlanName, (name) => {
  if (++marks !== Number(last)) return;
  writeSync(1, `${name}\n`);
  process.kill(process.pid, "SIGKILL");
});
const hasBegun = (await store.load({ conversation })).some(({ type }) => type === "user");
const run = hasBegun ? agent.recover({ conversation, wait: true }) : agent.run("Do it.", { conversation });
await run.result;
await store.close();

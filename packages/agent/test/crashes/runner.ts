import { writeSync } from "node:fs";
import { sqliteStore } from "@cogency/storage-sqlite";
import { marksUntil } from "../two-processes/kill-point.ts";
import { agentOf, conversation } from "./task.ts";

// Arguments: the path of the store, that of the file of effects, the driver, and the number of the mark at which the process waits to be
// killed. It begins the task, or recovers it if it has begun. Standard error shows what the consumer gets, a JSON line for each event.
const [path = "", effects = "", driver = "", mark = ""] = process.argv.slice(2);
const store = await sqliteStore({ path });
const agent = agentOf(driver, store, effects, marksUntil({ mark: Number(mark) }));
const hasBegun = (await store.load({ conversation })).some(({ type }) => type === "user");
const run = hasBegun ? agent.recover({ conversation }) : agent.run("Order it.", { conversation });
for await (const event of run) writeSync(2, `${JSON.stringify(event)}\n`);
await store.close();

import { sqliteStore } from "@cogency/storage-sqlite";
import { marksUntil } from "../../two-processes/kill-point.ts";
import { agentOf, conversation } from "./task.ts";

// Arguments: the path of the store, that of the file of effects, and the number of the mark at which the process waits to be killed.
const [path = "", effects = "", mark = ""] = process.argv.slice(2);
const store = await sqliteStore({ path });
await agentOf(store, effects, "there", marksUntil({ mark: Number(mark) })).ask("Order it.", { conversation });
await store.close();

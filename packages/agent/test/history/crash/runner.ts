import { sqliteStore } from "@cogency/storage-sqlite";
import { marksUntil } from "../../two-processes/kill-point.ts";
import { work } from "./work.ts";

// Arguments: the path of the store, the driver, the number of the mark at which the process waits to be killed. A process that passes
// fewer marks says so and ends.
const [path = "", driver = "", mark = ""] = process.argv.slice(2);
const store = await sqliteStore({ path });
await work(store, driver, marksUntil({ mark: Number(mark) }));
await store.close();

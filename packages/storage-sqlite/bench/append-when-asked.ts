import { createInterface } from "node:readline";
import { sqliteStore } from "../src/index.ts";
import { eventsOf } from "./events.ts";

// Argument: the path of the database. Every line of the input is the name of a conversation to append to.
const store = await sqliteStore({ path: process.argv[2] ?? "" });
for await (const conversation of createInterface(process.stdin)) {
  await store.append({ conversation }, eventsOf(1));
  process.stdout.write("done\n");
}
await store.close();

import { writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { sqliteStore } from "../../src/index.ts";

// Argument: the path of the database. Prints a line before it opens the store, and then waits to be killed.
flushCompileCache();
writeSync(1, "opening\n");
await sqliteStore({ path: process.argv[2] ?? "" });
writeSync(1, "open\n");
process.stdin.resume();

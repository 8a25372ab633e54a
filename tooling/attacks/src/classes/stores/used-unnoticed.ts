import { DatabaseSync } from "node:sqlite";
import type { Store } from "@cogency/storage";
import { sqliteStore } from "@cogency/storage-sqlite";
import { key, userEvent } from "./store-file.ts";

/** Uses the store if it opens the file. Returns what it did wrong without an error; undefined if it refused or worked. */
export async function usedUnnoticed(path: string): Promise<string | undefined> {
  let store: Store;
  try {
    store = await sqliteStore({ path });
  } catch {
    return undefined;
  }
  let found: unknown[];
  let matches: unknown[];
  let left: unknown[];
  try {
    await store.append(key, [userEvent("secret words")]);
    found = await store.load(key);
    matches = await store.search("secret", { user: "ada" });
    await store.delete(key);
    left = await store.load(key);
  } catch {
    return undefined;
  } finally {
    await store.close();
  }
  const database = new DatabaseSync(path);
  const extra = database
    .prepare(
      "SELECT type, name FROM sqlite_schema WHERE name IN ('spy', 'spied', 'sqlite-search', 'hidden') AND type IN ('trigger', 'table', 'view')",
    )
    .all();
  const spied = extra.some(({ name, type }) => name === "spied" && type === "table") && rowsIn(database, "spied");
  database.close();
  if (spied) return "what was said was copied aside";
  if (found.length !== 2) return `${found.length} events of 2 were there`;
  if (matches.length !== 1) return `${matches.length} matches of 1 were found`;
  if (left.length > 0) return "what was deleted is still there";
  if (extra.some(({ type }) => type === "trigger")) return "it was opened with a stranger's trigger";
  return undefined;
}

function rowsIn(database: DatabaseSync, table: string): boolean {
  return database.prepare(`SELECT * FROM "${table}"`).all().length > 0;
}

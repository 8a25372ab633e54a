import { DatabaseSync } from "node:sqlite";
import { StoreError } from "@cogency/storage";
import { searchTable, tables } from "./tables.ts";

/**
 * Refuses a database that holds anything but what this version creates, to the letter: a trigger or a view that somebody
 * planted would run with every append, and could keep a copy of it.
 *
 * @throws StoreError `corrupt`
 */
export function refuseForeignObjects(sqlite: DatabaseSync, path: string): void {
  const { needed, isSearch } = ownObjects();
  const found = objectsOf(sqlite);
  const wrong =
    found.find((object) => !needed.includes(object) && !isSearch(object)) ??
    needed.find((object) => !found.includes(object));
  if (wrong === undefined) return;
  const problem = found.includes(wrong) ? "holds what no store makes" : "lacks a part";
  throw new StoreError("corrupt", `${path} ${problem}: ${wrong}. It was left alone; choose another path.`);
}

function ownObjects(): { needed: string[]; isSearch: (object: string) => boolean } {
  const model = new DatabaseSync(":memory:");
  try {
    model.exec(tables);
    const needed = objectsOf(model);
    return { needed, isSearch: searchObjects(model) };
  } finally {
    model.close();
  }
}

/** Without FTS5 nobody knows their text, and nothing runs what it says: their names must do. */
function searchObjects(model: DatabaseSync): (object: string) => boolean {
  try {
    model.exec(searchTable);
  } catch {
    return (object) => /^\["table","(search(?:_[a-z]+)?)","\1",/.test(object);
  }
  const objects = objectsOf(model);
  return (object) => objects.includes(object);
}

function objectsOf(sqlite: DatabaseSync): string[] {
  const rows = sqlite.prepare("SELECT json_array(type, name, tbl_name, sql) AS object FROM sqlite_schema").all();
  return rows.map(({ object }) => String(object));
}

import { DatabaseSync } from "node:sqlite";
import { StoreError } from "@cogency/storage";
import { searchTable, tables } from "./tables.ts";

/**
 * Refuses a database whose schema differs in any character from what this version creates. A planted trigger or view
 * would run with every append, and could copy events.
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
  const problem = found.includes(wrong) ? "contains an object that no store creates" : "lacks an object";
  throw new StoreError("corrupt", `${path} ${problem}: ${wrong}. It was not changed; choose another path.`);
}

interface OwnObjects {
  needed: string[];
  isSearch: (object: string) => boolean;
}

let own: OwnObjects | undefined;

/** Always the same, and creating the tables is a quarter of the work of opening a store. */
function ownObjects(): OwnObjects {
  own ??= objectsOfModel();
  return own;
}

function objectsOfModel(): OwnObjects {
  const model = new DatabaseSync(":memory:");
  try {
    model.exec(tables);
    const needed = objectsOf(model);
    return { needed, isSearch: searchObjects(model) };
  } finally {
    model.close();
  }
}

/**
 * Matches the tables of FTS5: by their text, or only by name without FTS5, which then can neither create nor run them.
 */
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

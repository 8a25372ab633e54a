import type { Database } from "../database/database.ts";
import { prepareEventScan } from "./event-scan.ts";
import { prepareFullTextIndex } from "./full-text-index.ts";
import type { SearchIndex } from "./search-index.ts";

/** Node 22 has FTS5 from 22.16 on. Without it events are read; the file is the same for both. */
export function chooseSearchIndex(database: Database): SearchIndex {
  const fts5 = database.sqlite.prepare("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'").get();
  return fts5 ? prepareFullTextIndex(database) : prepareEventScan(database);
}

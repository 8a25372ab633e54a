import type { Match } from "@cogency/storage";
import { rankMatches, type SearchOptions, searchWords, wholeCount } from "@cogency/storage/adapter";
import type { Database } from "../database/database.ts";
import { nameText, userText } from "../rows/names.ts";
import { prepareEventScan } from "./event-scan.ts";
import { prepareFullTextIndex } from "./full-text-index.ts";
import type { SearchIndex } from "./search-index.ts";

export type Search = (text: string, options: SearchOptions) => Promise<Match[]>;

export function prepareSearch(index: SearchIndex): Search {
  return async (text, { user, exclude, limit = 20 }) => {
    const most = wholeCount("limit", limit);
    const words = searchWords(text);
    if (words.length === 0) return [];
    const excluded = exclude === undefined ? null : nameText(exclude);
    return rankMatches(words, await index.candidates(words, userText(user), excluded), most);
  };
}

/**
 * Uses SQLite's FTS5, which Node 22 has since 22.16, and which must be able to write. Otherwise a search scans the events;
 * the file is the same.
 */
export function chooseSearchIndex(database: Database): SearchIndex {
  const fts5 = database.sqlite.prepare("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'").get();
  const isReadOnly = database.sqlite.prepare("PRAGMA query_only").get()?.query_only === 1;
  return fts5 && !isReadOnly ? prepareFullTextIndex(database) : prepareEventScan(database);
}

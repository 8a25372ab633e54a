import type { MatchCandidate, SearchWord } from "@cogency/storage";
import type { Connection } from "./connection.ts";
import { prepareEventScan } from "./event-scan.ts";
import { prepareFullTextIndex } from "./full-text-index.ts";

/** Where `search` finds what it ranks. Names are those of the tables (names.ts). */
export interface SearchIndex {
  /** Events of the user in which words may stand, the latest first, without those of the conversation `exclude`. */
  candidates(words: readonly SearchWord[], user: string, exclude: string | null): Promise<MatchCandidate[]>;
  /** Forgets a conversation. Inside the transaction that has deleted its row; `purge` is to be called after it. */
  remove(conversation: number, user: string): void;
  /** Removes the words of forgotten conversations from the file. */
  purge(): Promise<void>;
}

/** Node 22 has FTS5 from 22.16 on. Without it events are read; the file is the same for both. */
export function prepareSearchIndex(connection: Connection): SearchIndex {
  const fts5 = connection.database.prepare("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'").get();
  return fts5 ? prepareFullTextIndex(connection) : prepareEventScan(connection);
}

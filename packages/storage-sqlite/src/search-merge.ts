import type { DatabaseSync } from "node:sqlite";

/**
 * Makes all of `search` anew out of what it holds: what was removed and only marked so is gone then, and the borders of
 * its pages are those of words that are left. Needs FTS5 and the table, and is called inside of a transaction.
 */
export interface SearchMerge {
  begin(): void;
  /** For some pages; false when all is done. */
  goOn(): boolean;
}

export function prepareSearchMerge(database: DatabaseSync): SearchMerge {
  const statements = () => {
    database.exec("CREATE VIRTUAL TABLE IF NOT EXISTS temp.search_words USING fts5vocab (main, search, instance)");
    return {
      // FTS5 merges nothing where there is one segment only: a row of no event makes a second one.
      addRow: database.prepare(`INSERT OR REPLACE INTO search (rowid, words) VALUES (${rowOfNoEvent}, 'x')`),
      removeRow: database.prepare(`DELETE FROM search WHERE rowid = ${rowOfNoEvent}`),
      readWord: database.prepare("SELECT term FROM temp.search_words LIMIT 1"),
      merge: database.prepare("INSERT INTO search (search, rank) VALUES ('merge', ?)"),
      countChanges: database.prepare("SELECT total_changes() AS count"),
    };
  };
  let made: ReturnType<typeof statements> | undefined;
  const prepared = () => {
    made ??= statements();
    return made;
  };

  return {
    begin() {
      const { addRow, readWord, merge } = prepared();
      addRow.run();
      // To look at a word makes FTS5 write its segment.
      readWord.get();
      merge.run(-pagesAtOnce);
    },

    goOn() {
      const { removeRow, merge, countChanges } = prepared();
      const before = Number(countChanges.get()?.count);
      merge.run(pagesAtOnce);
      // So FTS5 says that there was nothing to do.
      if (Number(countChanges.get()?.count) - before >= 2) return true;
      removeRow.run();
      return false;
    },
  };
}

/** Events begin at the first conversation's. */
const rowOfNoEvent = 1;
const pagesAtOnce = 16;

import type { DatabaseSync } from "node:sqlite";
import { once } from "./once.ts";

/**
 * Makes all of `search` anew out of what it holds: what was removed and only marked so is gone then, and the borders of
 * its pages are those of words that are left. Needs FTS5 and the table, and is called inside of a transaction.
 */
export interface SearchMerge {
  begin(): void;
  /** For some pages; false when all is done. */
  goOn(): boolean;
}

export function prepareSearchMerge(sqlite: DatabaseSync): SearchMerge {
  const prepared = once(() => ({
    addRow: sqlite.prepare("INSERT OR REPLACE INTO search (rowid, words) VALUES (?, ?)"),
    removeRow: sqlite.prepare("DELETE FROM search WHERE rowid = ?"),
    merge: sqlite.prepare("INSERT INTO search (search, rank) VALUES ('merge', ?)"),
    mergeTwo: sqlite.prepare("INSERT INTO search (search, rank) VALUES ('usermerge', 2)"),
    countChanges: sqlite.prepare("SELECT total_changes() AS count"),
  }));

  return {
    begin() {
      const { addRow, merge, mergeTwo } = prepared();
      // By default two or three segments that others add meanwhile can keep FTS5 from going on with a merge, and are not
      // enough for one of their own: `goOn` would see that nothing was done.
      mergeTwo.run();
      // FTS5 leaves marks out only where nothing older can be below: what it merges has to be in its highest level. It puts
      // everything there unless all is in one level already, whichever that is. So that it never is, a merge of several
      // pages is begun, whose result is one level up, and a segment is added to that.
      addRow.run(rowsOfNoEvent.large, severalPages);
      merge.run(-1);
      addRow.run(rowsOfNoEvent.small, "x");
      merge.run(-pagesAtOnce);
    },

    goOn() {
      const { removeRow, merge, countChanges } = prepared();
      const before = Number(countChanges.get()?.count);
      merge.run(pagesAtOnce);
      // So FTS5 says that there was nothing to do.
      if (Number(countChanges.get()?.count) - before >= 2) return true;
      for (const row of Object.values(rowsOfNoEvent)) removeRow.run(row);
      return false;
    },
  };
}

/** Events begin at the first conversation's. */
const rowsOfNoEvent = { small: 1, large: 2 };
/** A page takes one of these words. */
const severalPages = Array.from("abcdefgh", (letter) => letter.repeat(4_000)).join(" ");
const pagesAtOnce = 16;

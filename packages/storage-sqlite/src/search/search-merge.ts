import type { DatabaseSync } from "node:sqlite";
import { once } from "./search-table.ts";

/**
 * Rewrites all of `search`: words that were only marked as removed are then gone, and the borders of its pages are
 * beginnings of remaining words. Needs FTS5 and the table. Its methods must be called inside a transaction.
 */
export interface SearchMerge {
  begin(): void;
  /** Merges some pages. Returns false when the merge is complete. */
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
      // By default FTS5 would stop a merge for two or three segments that others add meanwhile, without merging these:
      // `goOn` would take it for complete.
      mergeTwo.run();
      // FTS5 drops marks only if no older data can be below, that is, in its highest level. It moves everything there,
      // unless all data is in one level already. To prevent that, this begins a merge of several pages, whose result is
      // one level up, and adds one more segment.
      addRow.run(rowsOfNoEvent.large, severalPages);
      merge.run(-1);
      addRow.run(rowsOfNoEvent.small, "x");
      merge.run(-pagesAtOnce);
    },

    goOn() {
      const { removeRow, merge, countChanges } = prepared();
      const before = Number(countChanges.get()?.count);
      merge.run(pagesAtOnce);
      // FTS5 documents fewer than 2 changes as the sign that there was nothing to merge.
      if (Number(countChanges.get()?.count) - before >= 2) return true;
      for (const row of Object.values(rowsOfNoEvent)) removeRow.run(row);
      return false;
    },
  };
}

/** Rows below those of all events. */
const rowsOfNoEvent = { small: 1, large: 2 };
/** Each of these words fills a page. */
const severalPages = Array.from("abcdefgh", (letter) => letter.repeat(4_000)).join(" ");
const pagesAtOnce = 16;

import type { DatabaseSync } from "node:sqlite";

/**
 * Where the pages of `search` begin. FTS5 keeps the beginning of a page's first word beside the page, and leaves it there
 * when the word is removed; only a merge makes these borders anew. Needs FTS5 and the table, and is called inside of a
 * transaction.
 */
export interface SearchBorders {
  /** Those which are the beginning of a word that one of the conversation's events of these numbers has. */
  of(conversation: number, events: readonly number[]): Set<string>;
  /** Whether words of the table begin with each of them. */
  areOfWords(borders: ReadonlySet<string>): boolean;
  /** Begins to make all of them anew. */
  beginMerge(): void;
  /** Goes on with it for some pages; false when all is done. */
  merge(): boolean;
}

export function prepareSearchBorders(database: DatabaseSync): SearchBorders {
  const statements = () => {
    database.exec("CREATE VIRTUAL TABLE IF NOT EXISTS temp.search_words USING fts5vocab (main, search, instance)");
    return {
      readSegments: database.prepare("SELECT DISTINCT segid AS segment FROM search_idx"),
      // Beyond the "0" that leads it, a border is a word or the beginning of one, maybe cut within a character.
      findBorder: database.prepare(`
        SELECT CAST(substr(term, 2) AS BLOB) AS border FROM search_idx
        WHERE segid = ? AND term <= CAST('0' || ? AS BLOB) ORDER BY term DESC LIMIT 1`),
      readWords: database.prepare("SELECT words FROM search WHERE rowid = ? << 32 | ?"),
      findWord: database.prepare("SELECT term FROM temp.search_words WHERE term >= ? LIMIT 1"),
      // FTS5 merges nothing where there is one segment only: a row of no event makes a second one.
      addRow: database.prepare(`INSERT OR REPLACE INTO search (rowid, words) VALUES (${rowOfNoEvent}, 'x')`),
      removeRow: database.prepare(`DELETE FROM search WHERE rowid = ${rowOfNoEvent}`),
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
    of(conversation, events) {
      const { readSegments, findBorder, readWords } = prepared();
      const segments = readSegments.all().map(({ segment }) => Number(segment));
      const texts = events.map((seq) => String(readWords.get(conversation, seq)?.words ?? ""));
      const words = new Set(texts.flatMap((text) => text.split(" ")));
      const borders = new Set<string>();
      for (const word of words) {
        for (const segment of segments) {
          const border = findBorder.get(segment, word)?.border;
          if (border instanceof Uint8Array && border.length > 0 && isBeginning(border, word)) {
            borders.add(Buffer.from(border).toString());
          }
        }
      }
      return borders;
    },

    areOfWords(borders) {
      const { findWord } = prepared();
      return Array.from(borders).every((border) => String(findWord.get(border)?.term ?? "").startsWith(border));
    },

    beginMerge() {
      const { addRow, findWord, merge } = prepared();
      addRow.run();
      // To look at the words makes FTS5 write its segment.
      findWord.get("x");
      merge.run(-pagesAtOnce);
    },

    merge() {
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

function isBeginning(border: Uint8Array, word: string): boolean {
  return Buffer.from(word).subarray(0, border.length).equals(border);
}

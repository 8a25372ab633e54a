import type { DatabaseSync } from "node:sqlite";
import { eventPlace } from "../rows/event-place.ts";
import { once } from "./once.ts";

/**
 * The borders between the pages of `search`. FTS5 stores the beginning of each page's first word beside the page, and
 * leaves it there when the word is removed; only a merge replaces it. Its methods need FTS5 and the table, and must be
 * called inside a transaction.
 */
export interface SearchBorders {
  /** The borders that are the beginning of a word of these events of the conversation. */
  of(conversation: number, events: readonly number[]): Set<string>;
  /** Whether the table still contains a word for every border. */
  areOfWords(borders: ReadonlySet<string>): boolean;
}

export function prepareSearchBorders(sqlite: DatabaseSync): SearchBorders {
  const prepared = once(() => {
    sqlite.exec("CREATE VIRTUAL TABLE IF NOT EXISTS temp.search_words USING fts5vocab (main, search, instance)");
    return {
      readSegments: sqlite.prepare("SELECT DISTINCT segid AS segment FROM search_idx"),
      // After a leading "0", a border is a word or the beginning of a word, which may end within a character.
      findBorder: sqlite.prepare(`
        SELECT CAST(substr(term, 2) AS BLOB) AS border FROM search_idx
        WHERE segid = ? AND term <= CAST('0' || ? AS BLOB) ORDER BY term DESC LIMIT 1`),
      readWords: sqlite.prepare(`SELECT words FROM search WHERE rowid = ${eventPlace("?", "?")}`),
      findWord: sqlite.prepare("SELECT term FROM temp.search_words WHERE term >= ? LIMIT 1"),
    };
  });

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
  };
}

function isBeginning(border: Uint8Array, word: string): boolean {
  return Buffer.from(word).subarray(0, border.length).equals(border);
}

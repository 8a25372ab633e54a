import type { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import type { Database } from "../database/database.ts";
import { eventPlace } from "../rows/event-place.ts";
import { prepareSearchMerge } from "./search-merge.ts";
import { once, type SearchTable } from "./search-table.ts";
import { createStepSize } from "./step-size.ts";

/** Removes the words of deleted conversations from `search`. Needs FTS5. */
export interface SearchPurge {
  /**
   * Notes a conversation for `run`, inside the transaction that deletes it. Removing its words would take too long
   * there.
   */
  note(conversation: number): void;
  /** Removes the words of all noted conversations in short transactions, also those that a killed process has noted. */
  run(): Promise<void>;
  /** Runs one of these transactions, if a conversation is noted. */
  step(): Promise<void>;
}

/**
 * How to remove a conversation's words. The fastest is chosen by the conversation's share of the table:
 *
 * - `drop` drops the table. The next search creates it again.
 * - `mark` marks the words as removed, until a merge of the whole table leaves them out.
 * - `overwrite` overwrites the words, which takes about a thousand times as long per event as the merge.
 */
type Removal = "drop" | "mark" | "overwrite";

export function prepareSearchPurge({ sqlite, read, write }: Database, table: SearchTable): SearchPurge {
  const addNote = sqlite.prepare("INSERT OR IGNORE INTO search_leftovers (conversation) VALUES (?)");
  // Conversations come first: the notes about a merge are 0 and -1.
  const findNote = sqlite.prepare("SELECT conversation FROM search_leftovers ORDER BY conversation DESC LIMIT 1");
  const deleteNote = sqlite.prepare("DELETE FROM search_leftovers WHERE conversation = ?");
  const borders = prepareSearchBorders(sqlite);
  const merge = prepareSearchMerge(sqlite);
  const stepSizes = {
    mark: createStepSize(transactionTime, { first: 50, most: 500 }),
    overwrite: createStepSize(transactionTime, { first: 4, most: 50 }),
  };
  let chosen: { conversation: number; removal: Removal } | undefined;

  return {
    note(conversation) {
      if (table.exists() && table.holds(conversation)) addNote.run(conversation);
    },

    run: async () => {
      while (await purgeStep()) await setImmediate();
    },

    step: async () => {
      await purgeStep();
    },
  };

  /** Returns false if no conversation was noted. */
  async function purgeStep(): Promise<boolean> {
    if (!(await read(() => findNote.get()))) return false;
    let begun = 0;
    const removal = await write(() => {
      begun = performance.now();
      return removeSome();
    });
    if (removal) stepSizes[removal].took(performance.now() - begun);
    return true;
  }

  /** Returns how it has removed events; undefined if it has removed none one by one. */
  function removeSome(): keyof typeof stepSizes | undefined {
    const note = findNote.get();
    if (!note) return undefined;
    const conversation = Number(note.conversation);
    if (conversation === toMerge || conversation === merging) return mergeSome(conversation);
    // Chosen once per conversation: `shareOf` counts the whole table.
    if (chosen?.conversation !== conversation) {
      chosen = { conversation, removal: removalFor(table.shareOf(conversation)) };
    }
    const { removal } = chosen;
    if (removal === "drop") {
      table.drop();
      return undefined;
    }
    const events = table.someOf(conversation, stepSizes[removal].amount());
    if (removal === "mark") {
      table.mark(conversation, events);
      addNote.run(toMerge);
    } else {
      const touched = borders.of(conversation, events);
      table.overwrite(conversation, events);
      if (!borders.areOfWords(touched)) addNote.run(toMerge);
    }
    if (!table.holds(conversation)) {
      table.overwriteCopies(conversation);
      deleteNote.run(conversation);
    }
    return removal;
  }

  function mergeSome(state: typeof toMerge | typeof merging): undefined {
    if (state === toMerge) {
      merge.begin();
      deleteNote.run(toMerge);
      addNote.run(merging);
    } else if (!merge.goOn()) deleteNote.run(merging);
  }
}

/**
 * Notes in place of a conversation: the whole table must be merged, or the merge is running. No conversation has these
 * ids.
 */
const toMerge = 0;
const merging = -1;
/** Milliseconds that one transaction should take. */
const transactionTime = 20;

function removalFor(share: number): Removal {
  if (share > 1 / 2) return "drop";
  return share > 1 / 1_000 ? "mark" : "overwrite";
}

/**
 * The borders between the pages of `search`. FTS5 stores the beginning of each page's first word beside the page, and
 * leaves it there when the word is removed; only a merge replaces it. Its methods need FTS5 and the table, and must be
 * called inside a transaction.
 */
interface SearchBorders {
  /** The borders that are the beginning of a word of these events of the conversation. */
  of(conversation: number, events: readonly number[]): Set<string>;
  /** Whether the table still contains a word for every border. */
  areOfWords(borders: ReadonlySet<string>): boolean;
}

function prepareSearchBorders(sqlite: DatabaseSync): SearchBorders {
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

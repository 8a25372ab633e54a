import { setImmediate } from "node:timers/promises";
import type { Database } from "../database/database.ts";
import { prepareSearchBorders } from "./search-borders.ts";
import { prepareSearchMerge } from "./search-merge.ts";
import type { SearchTable } from "./search-table.ts";
import { createStepSize } from "./step-size.ts";

/** What `search` still holds of conversations that were deleted. Needs FTS5. */
export interface SearchPurge {
  /** Notes a conversation for `purge`, inside the transaction that deletes it: to remove words takes long. */
  note(conversation: number): void;
  /** Removes what was noted, also by a process that was killed then, in short transactions. */
  run(): Promise<void>;
  /** One of these transactions, if there is anything left. */
  step(): Promise<void>;
}

/**
 * How a conversation's words are removed, whichever takes least: `drop` the table, which the next search makes anew;
 * `mark` the words as removed, until a merge of the whole table leaves them out; `overwrite` them, which takes about a
 * thousand times as long an event as the merge.
 */
type Way = "drop" | "mark" | "overwrite";

export function prepareSearchPurge({ sqlite, read, write }: Database, table: SearchTable): SearchPurge {
  const addNote = sqlite.prepare("INSERT OR IGNORE INTO search_leftovers (conversation) VALUES (?)");
  // The merge comes last.
  const findNote = sqlite.prepare("SELECT conversation FROM search_leftovers ORDER BY conversation DESC LIMIT 1");
  const deleteNote = sqlite.prepare("DELETE FROM search_leftovers WHERE conversation = ?");
  const borders = prepareSearchBorders(sqlite);
  const merge = prepareSearchMerge(sqlite);
  const stepSizes = {
    mark: createStepSize(transactionTime, { first: 50, most: 500 }),
    overwrite: createStepSize(transactionTime, { first: 4, most: 50 }),
  };
  let chosen: { conversation: number; way: Way } | undefined;

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

  /** False when there was nothing. */
  async function purgeStep(): Promise<boolean> {
    if (!(await read(() => findNote.get()))) return false;
    let begun = 0;
    const way = await write(() => {
      begun = performance.now();
      return removeSome();
    });
    if (way) stepSizes[way].took(performance.now() - begun);
    return true;
  }

  /** The way in which it has removed events. */
  function removeSome(): keyof typeof stepSizes | undefined {
    const note = findNote.get();
    if (!note) return undefined;
    const conversation = Number(note.conversation);
    if (conversation === toMerge || conversation === merging) return mergeSome(conversation);
    // Once: it counts all that there is.
    if (chosen?.conversation !== conversation) chosen = { conversation, way: wayFor(table.shareOf(conversation)) };
    const { way } = chosen;
    if (way === "drop") {
      table.drop();
      return undefined;
    }
    const events = table.someOf(conversation, stepSizes[way].amount());
    if (way === "mark") {
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
    return way;
  }

  function mergeSome(state: typeof toMerge | typeof merging): undefined {
    if (state === toMerge) {
      merge.begin();
      deleteNote.run(toMerge);
      addNote.run(merging);
    } else if (!merge.goOn()) deleteNote.run(merging);
  }
}

/** Notes that the whole table is to be merged, and that it is being merged. No conversation has these ids. */
const toMerge = 0;
const merging = -1;
/** Milliseconds that one transaction may take. */
const transactionTime = 20;

function wayFor(share: number): Way {
  if (share > 1 / 2) return "drop";
  return share > 1 / 1_000 ? "mark" : "overwrite";
}

import { setImmediate } from "node:timers/promises";
import type { Connection } from "./connection.ts";
import { createPace } from "./pace.ts";
import { prepareSearchBorders } from "./search-borders.ts";
import type { SearchTable } from "./search-table.ts";

/** What `search` still holds of conversations that were deleted. Needs FTS5. */
export interface SearchLeftovers {
  /** Notes a conversation for `purge`, inside the transaction that deletes it: to remove words takes long. */
  note(conversation: number): void;
  /** Removes what was noted, also by a process that was killed then, in short transactions. */
  purge(): Promise<void>;
  /** One of these transactions, if there is anything left. */
  purgeSome(): Promise<void>;
}

export function prepareSearchLeftovers({ database, read, write }: Connection, table: SearchTable): SearchLeftovers {
  const addNote = database.prepare("INSERT OR IGNORE INTO search_leftovers (conversation) VALUES (?)");
  // The one of the borders comes last.
  const findNote = database.prepare("SELECT conversation FROM search_leftovers ORDER BY conversation DESC LIMIT 1");
  const deleteNote = database.prepare("DELETE FROM search_leftovers WHERE conversation = ?");
  const borders = prepareSearchBorders(database);
  const pace = createPace(transactionTime, deletedAtOnce);
  let examined: number | undefined;

  return {
    note(conversation) {
      if (table.exists() && table.holds(conversation)) addNote.run(conversation);
    },

    purge: async () => {
      while (await purgeSome()) await setImmediate();
    },

    purgeSome: async () => {
      await purgeSome();
    },
  };

  /** False when there was nothing. */
  async function purgeSome(): Promise<boolean> {
    const found = await read(() => findNote.get());
    if (!found) return false;
    let begun = 0;
    const isOfEvents = await write(() => {
      begun = performance.now();
      return removeSome();
    });
    if (isOfEvents) pace.took(performance.now() - begun);
    return true;
  }

  /** True if it has removed events. */
  function removeSome(): boolean {
    const conversation = Number(findNote.get()?.conversation ?? -1);
    if (conversation < 0) return false;
    if (conversation === ofBorders) {
      if (!borders.merge()) deleteNote.run(ofBorders);
      return false;
    }
    // Once: it counts all that there is.
    if (conversation !== examined && table.isShareAbove(conversation, shareToRebuild)) {
      table.drop();
      return false;
    }
    examined = conversation;
    const most = pace.amount();
    const events = table.someOf(conversation, most);
    const touched = borders.of(conversation, events);
    const removed = table.remove(conversation, events);
    if (!borders.areOfWords(touched)) {
      addNote.run(ofBorders);
      borders.beginMerge();
    }
    if (removed < most) deleteNote.run(conversation);
    return true;
  }
}

/** The note that the borders of the index hold words which it has not any more. No conversation has this id. */
const ofBorders = 0;
/** To remove an event takes about as long as to take in forty. */
const shareToRebuild = 1 / 40;
/** Milliseconds that one transaction may take. */
const transactionTime = 20;
/** Events. */
const deletedAtOnce = { first: 4, most: 50 };

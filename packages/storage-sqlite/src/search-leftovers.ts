import { setImmediate } from "node:timers/promises";
import type { Connection } from "./connection.ts";
import type { SearchTable } from "./search-table.ts";

/** What `search` still holds of conversations that were deleted. Needs FTS5. */
export interface SearchLeftovers {
  /** Notes a conversation for `purge`, inside the transaction that deletes it: to remove words takes long. */
  note(conversation: number): void;
  /** Removes what was noted, also by a process that was killed then, in short transactions. */
  purge(): Promise<void>;
}

export function prepareSearchLeftovers({ database, read, write }: Connection, table: SearchTable): SearchLeftovers {
  const addNote = database.prepare("INSERT OR IGNORE INTO search_leftovers (conversation) VALUES (?)");
  const findNote = database.prepare("SELECT conversation FROM search_leftovers LIMIT 1");
  const deleteNote = database.prepare("DELETE FROM search_leftovers WHERE conversation = ?");

  return {
    note(conversation) {
      if (table.exists() && table.holds(conversation)) addNote.run(conversation);
    },

    async purge() {
      while ((await read(() => findNote.get())) !== undefined) {
        await write(purgeSome);
        await setImmediate();
      }
    },
  };

  function purgeSome(): void {
    const conversation = findNote.get()?.conversation;
    if (conversation === undefined) return;
    if (table.isShareAbove(Number(conversation), shareToRebuild)) {
      table.drop();
    } else if (table.deleteSome(Number(conversation), deletedAtOnce) < deletedAtOnce) {
      deleteNote.run(Number(conversation));
    }
  }
}

/** To remove an event takes about as long as to take in sixteen. */
const shareToRebuild = 1 / 16;
const deletedAtOnce = 50;

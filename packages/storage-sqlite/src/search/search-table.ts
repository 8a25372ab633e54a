import type { DatabaseSync } from "node:sqlite";
import { emptyRows } from "../rows/empty-rows.ts";
import { eventPlace, isPlaceOf, seqAt } from "../rows/event-place.ts";
import { searchTable } from "../schema/tables.ts";

/**
 * The table `search` of SQLite's FTS5. The first search creates it, because not every Node has FTS5. Between two
 * transactions another process may create or drop it.
 */
export interface SearchTable {
  exists(): boolean;
  /** Changes whenever the table is created or dropped. */
  version(): number;
  /** Creates the table unless it exists and is intact. Needs FTS5. */
  make(): void;
  /** Whether the table contains words of the conversation. */
  holds(conversation: number): boolean;
  /** The conversation's share of all events in the table, from 0 to 1. */
  shareOf(conversation: number): number;
  /** The sequence numbers of up to `most` of the conversation's events. A long event counts several times. */
  someOf(conversation: number, most: number): number[];
  /** Hides these events of the conversation from searches. A merge of the table removes their words. Needs FTS5. */
  mark(conversation: number, events: readonly number[]): void;
  /** Removes these events of the conversation and overwrites their words. Needs FTS5. */
  overwrite(conversation: number, events: readonly number[]): void;
  /** Overwrites copies of the conversation's removed events, see rows/empty-rows.ts. Needs FTS5. */
  overwriteCopies(conversation: number): void;
  /** Drops the table and all notes about it. The next search creates it again. Needs FTS5. */
  drop(): void;
  /** Empties the table, without FTS5. */
  clear(): void;
}

export function prepareSearchTable(sqlite: DatabaseSync): SearchTable {
  const findTable = sqlite.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'search'");
  // Counts all changes of the schema. Only this table is created or dropped.
  const readVersion = sqlite.prepare("PRAGMA schema_version");
  const exists = () => findTable.get() !== undefined;

  return {
    exists,

    version: () => Number(readVersion.get()?.schema_version),

    make() {
      // `search_data` is empty only after `clear`: FTS5 itself never empties it.
      if (exists() && count("FROM (SELECT 1 FROM search_data LIMIT 1)") === 0) sqlite.exec("DROP TABLE search");
      if (exists()) return;
      sqlite.exec(searchTable);
      overwriting(true);
    },

    holds: (conversation) => count(`FROM (SELECT 1 FROM search_docsize ${of(conversation)} LIMIT 1)`) > 0,

    shareOf(conversation) {
      return count(`FROM search_docsize ${of(conversation)}`) / count("FROM search_docsize");
    },

    someOf(conversation, most) {
      const found = sqlite.prepare(`
        SELECT ${seqAt("id")} AS seq, octet_length(c0) AS length
        FROM search_docsize LEFT JOIN search_content USING (id) ${of(conversation)} LIMIT ${most}`);
      const some: number[] = [];
      let left = most;
      for (const { seq, length } of found.iterate()) {
        if (left <= 0) break;
        some.push(Number(seq));
        left -= Math.max(1, Number(length) / bytesAsOne);
      }
      return some;
    },

    mark(conversation, events) {
      overwriting(false);
      remove(conversation, events);
      overwriting(true);
    },

    overwrite: remove,

    overwriteCopies(conversation) {
      const add = sqlite.prepare(
        `INSERT INTO search (rowid, words) SELECT ${eventPlace("$conversation", "value")}, '' FROM json_each($rows)`,
      );
      add.run({ conversation, rows: JSON.stringify(emptyRows) });
      remove(conversation, emptyRows);
    },

    drop() {
      sqlite.exec(`DROP TABLE search; ${forget}`);
    },

    clear() {
      if (!exists()) return;
      const parts = ["data", "idx", "content", "docsize"];
      sqlite.exec(parts.map((part) => `DELETE FROM search_${part};`).join("") + forget);
    },
  };

  /** Sets whether FTS5 removes words from the file at once or only marks them. */
  function overwriting(isOn: boolean): void {
    sqlite.exec(`INSERT INTO search (search, rank) VALUES ('secure-delete', ${isOn ? 1 : 0})`);
  }

  function remove(conversation: number, events: readonly number[]): void {
    const statement = sqlite.prepare(`DELETE FROM search WHERE rowid = ${eventPlace("?", "?")}`);
    for (const seq of events) statement.run(conversation, seq);
  }

  function count(from: string): number {
    return Number(sqlite.prepare(`SELECT count(*) AS count ${from}`).get()?.count);
  }
}

const bytesAsOne = 2_000;

const forget = `
  DELETE FROM search_leftovers;
  DELETE FROM search_scopes;
  UPDATE conversations SET indexed = 0 WHERE indexed > 0;
`;

function of(conversation: number): string {
  return `WHERE ${isPlaceOf(String(conversation), "id")}`;
}

/** Calls `make` on first use, for statements on a table that may not exist yet. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

import type { DatabaseSync } from "node:sqlite";
import { emptyRows } from "../rows/empty-rows.ts";
import { eventPlace, isPlaceOf, seqAt } from "../rows/event-place.ts";
import { searchTable } from "../schema/tables.ts";

/**
 * The table of SQLite's FTS5. It is made by the first search, because not every Node has FTS5. What is called inside of
 * a transaction may find it made or dropped by another process since.
 */
export interface SearchTable {
  exists(): boolean;
  /** Another number whenever it was made or dropped since. */
  version(): number;
  /** Makes it unless it is there and in order. Needs FTS5. */
  make(): void;
  /** Whether it has words of the conversation. */
  holds(conversation: number): boolean;
  /** How much of its events are the conversation's, from 0 to 1. */
  shareOf(conversation: number): number;
  /** The numbers of at most so many of the conversation's events, of which a long one counts for several. */
  someOf(conversation: number, most: number): number[];
  /** Lets no search find the conversation's events of these numbers; their words go when all is merged. Needs FTS5. */
  mark(conversation: number, events: readonly number[]): void;
  /** Removes the conversation's events of these numbers with their words. Needs FTS5. */
  overwrite(conversation: number, events: readonly number[]): void;
  /** Overwrites copies of the conversation's events, which are removed, as far as rows/empty-rows.ts can. Needs FTS5. */
  overwriteCopies(conversation: number): void;
  /** Removes it together with what is known about it: the next search makes it anew. Needs FTS5. */
  drop(): void;
  /** The same without FTS5. */
  clear(): void;
}

export function prepareSearchTable(sqlite: DatabaseSync): SearchTable {
  const findTable = sqlite.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'search'");
  // Counts the changes of the whole schema, of which there are no others.
  const readVersion = sqlite.prepare("PRAGMA schema_version");
  const exists = () => findTable.get() !== undefined;

  return {
    exists,

    version: () => Number(readVersion.get()?.schema_version),

    make() {
      // FTS5 itself never leaves this table empty.
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

  /** Whether what is removed is gone from the file at once. */
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

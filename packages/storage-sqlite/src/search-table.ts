import type { DatabaseSync } from "node:sqlite";

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
  /** Whether more than that share of its events are the conversation's. */
  isShareAbove(conversation: number, share: number): boolean;
  /** The numbers of at most so many of the conversation's events. */
  someOf(conversation: number, most: number): number[];
  /** Removes the conversation's events of these numbers and returns how many there were. Needs FTS5. */
  remove(conversation: number, events: readonly number[]): number;
  /** Removes it together with what is known about it: the next search makes it anew. Needs FTS5. */
  drop(): void;
  /** The same without FTS5. */
  clear(): void;
}

export function prepareSearchTable(database: DatabaseSync): SearchTable {
  const findTable = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'search'");
  // Counts the changes of the whole schema, of which there are no others.
  const readVersion = database.prepare("PRAGMA schema_version");
  const exists = () => findTable.get() !== undefined;

  return {
    exists,

    version: () => Number(readVersion.get()?.schema_version),

    make() {
      // FTS5 itself never leaves this table empty.
      if (exists() && count("FROM (SELECT 1 FROM search_data LIMIT 1)") === 0) database.exec("DROP TABLE search");
      if (exists()) return;
      // The tokens are made by `searchTokens`. What is removed is to be gone from the file.
      database.exec(`
        CREATE VIRTUAL TABLE search USING fts5 (words, tokenize = 'ascii');
        INSERT INTO search (search, rank) VALUES ('secure-delete', 1);
      `);
    },

    holds: (conversation) => count(`FROM (SELECT 1 FROM search_docsize ${of(conversation)} LIMIT 1)`) > 0,

    isShareAbove(conversation, share) {
      return count(`FROM search_docsize ${of(conversation)}`) > share * count("FROM search_docsize");
    },

    someOf(conversation, most) {
      const some = `SELECT id & 4294967295 AS seq FROM search_docsize ${of(conversation)} LIMIT ${most}`;
      return database
        .prepare(some)
        .all()
        .map(({ seq }) => Number(seq));
    },

    remove(conversation, events) {
      const remove = database.prepare("DELETE FROM search WHERE rowid = ? << 32 | ?");
      return events.reduce((removed, seq) => removed + Number(remove.run(conversation, seq).changes), 0);
    },

    drop() {
      database.exec(`DROP TABLE search; ${forget}`);
    },

    clear() {
      if (!exists()) return;
      const parts = ["data", "idx", "content", "docsize"];
      database.exec(parts.map((part) => `DELETE FROM search_${part};`).join("") + forget);
    },
  };

  function count(from: string): number {
    return Number(database.prepare(`SELECT count(*) AS count ${from}`).get()?.count);
  }
}

const forget = `
  DELETE FROM search_leftovers;
  DELETE FROM search_scopes;
  UPDATE conversations SET indexed = 0 WHERE indexed > 0;
`;

function of(conversation: number): string {
  return `WHERE id BETWEEN ${conversation} << 32 AND ${conversation} << 32 | 4294967295`;
}

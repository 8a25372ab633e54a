import { DatabaseSync } from "node:sqlite";
import type { LogEvent } from "@cogency/protocol";

/** The simplest log: one table without checks. */
export interface BareLog {
  append(events: readonly LogEvent[]): void;
  load(): (LogEvent & { seq: number })[];
  close(): void;
}

export const plainName = "bare node:sqlite, key of two columns";
export const packedName = "bare node:sqlite, key of one number";

const tables = {
  /** A table with a key of two columns. */
  plain: "CREATE TABLE events (log INTEGER, seq INTEGER, event TEXT, PRIMARY KEY (log, seq)) WITHOUT ROWID",
  /** A table with an integer key, the fastest kind of SQLite. */
  packed: "CREATE TABLE events (place INTEGER PRIMARY KEY, event TEXT)",
};

export function bareLog(path: string, table: keyof typeof tables): BareLog {
  const database = new DatabaseSync(path);
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA secure_delete = ON;
    ${tables[table]};
  `);
  const begin = database.prepare("BEGIN IMMEDIATE");
  const insert = database.prepare(`INSERT INTO events VALUES (${table === "plain" ? "1, ?" : "1 << 32 | ?"}, ?)`);
  const commit = database.prepare("COMMIT");
  const select = database.prepare(
    table === "plain"
      ? "SELECT seq, event FROM events WHERE log = 1 ORDER BY seq"
      : "SELECT place & 4294967295 AS seq, event FROM events WHERE place BETWEEN 1 << 32 AND 2 << 32 ORDER BY place",
  );
  let seq = 0;
  return {
    append(events) {
      // A single statement is a transaction by itself.
      if (events.length > 1) begin.run();
      for (const event of events) insert.run(++seq, JSON.stringify(event));
      if (events.length > 1) commit.run();
    },
    load: () => select.all().map((row) => ({ ...(JSON.parse(String(row.event)) as LogEvent), seq: Number(row.seq) })),
    close: () => database.close(),
  };
}

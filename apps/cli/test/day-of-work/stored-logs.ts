import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { StoredEvent } from "@cogency/storage";

/** The logs in a file of SQLite, read without the code of the app. */
export class StoredLogs {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** In the order in which they were begun, or the one that was written last first. */
  names({ latestFirst = false } = {}): string[] {
    const order = latestFirst ? "position DESC" : "id";
    const rows = this.#rows<{ name: string }>(`SELECT name FROM conversations ORDER BY ${order}`);
    return rows.map(({ name }) => JSON.parse(name));
  }

  /** The events under the numbers that the rows have. */
  log(conversation: string): StoredEvent[] {
    const rows = this.#rows<{ seq: number; event: string }>(
      `SELECT seq, event FROM events WHERE conversation = (SELECT id FROM conversations WHERE name = ? AND user = 'null') ORDER BY place`,
      JSON.stringify(conversation),
    );
    return rows.map(({ seq, event }) => ({ ...JSON.parse(event), seq }));
  }

  /** Messages that no run has taken. */
  unread(): unknown[] {
    return this.#rows("SELECT * FROM messages");
  }

  /** The problems that SQLite finds. */
  damage(): string[] {
    return this.#rows<{ integrity_check: string }>("PRAGMA integrity_check").map((row) => row.integrity_check);
  }

  #rows<Row>(sql: string, ...values: string[]): Row[] {
    if (!existsSync(this.#path)) return [];
    const database = new DatabaseSync(this.#path, { readOnly: true, timeout: 5000 });
    try {
      return database.prepare(sql).all(...values) as Row[];
    } finally {
      database.close();
    }
  }
}

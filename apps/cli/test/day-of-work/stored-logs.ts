import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { StoredEvent } from "@cogency/storage";
import { onTestFinished } from "vitest";

/** The logs in a file of SQLite, read without the code of the app. */
export class StoredLogs {
  readonly #path: string;
  #database: DatabaseSync | undefined;
  /** What was read of each log. */
  readonly #read = new Map<string, StoredEvent[]>();

  constructor(path: string) {
    this.#path = path;
  }

  /** In the order in which they were begun, or the one that was written last first. */
  names({ latestFirst = false } = {}): string[] {
    const order = latestFirst ? "position DESC" : "id";
    const rows = this.#rows<{ name: string }>(`SELECT name FROM conversations ORDER BY ${order}`);
    return rows.map(({ name }) => JSON.parse(name));
  }

  /** The events under the numbers that the rows have. What was read before is not read again. */
  log(conversation: string): StoredEvent[] {
    const before = this.#read.get(conversation) ?? [];
    const log = [...before, ...this.#eventsAfter(conversation, before.at(-1)?.seq ?? 0)];
    this.#read.set(conversation, log);
    return log;
  }

  /** All events, as they are now. */
  whole(conversation: string): StoredEvent[] {
    return this.#eventsAfter(conversation, 0);
  }

  /** Messages that no run has taken. */
  unread(): unknown[] {
    return this.#rows("SELECT * FROM messages");
  }

  /** The problems that SQLite finds. */
  damage(): string[] {
    return this.#rows<{ integrity_check: string }>("PRAGMA integrity_check").map((row) => row.integrity_check);
  }

  #eventsAfter(conversation: string, seq: number): StoredEvent[] {
    const rows = this.#rows<{ seq: number; event: string }>(
      `SELECT events.seq, event FROM events JOIN conversations ON conversations.id = events.conversation
       WHERE name = ? AND user = 'null' AND place > (conversations.id << 32 | ?) AND place < ((conversations.id + 1) << 32) ORDER BY place`,
      JSON.stringify(conversation),
      seq,
    );
    return rows.map((row) => ({ ...JSON.parse(row.event), seq: row.seq }));
  }

  #rows<Row>(sql: string, ...values: (string | number)[]): Row[] {
    if (!existsSync(this.#path)) return [];
    this.#database ??= this.#open();
    return this.#database.prepare(sql).all(...values) as Row[];
  }

  #open(): DatabaseSync {
    const database = new DatabaseSync(this.#path, { readOnly: true, timeout: 5000 });
    onTestFinished(() => database.close());
    return database;
  }
}

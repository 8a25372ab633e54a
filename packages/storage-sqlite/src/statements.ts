import type { DatabaseSync, StatementSync } from "node:sqlite";

/** The statements of the store, prepared once. Names and batch ids are bound as JSON text (schema.ts). */
export interface Statements {
  /** user, name → id and summary */
  findLog: StatementSync;
  /** user, name, title, events, createdAt, updatedAt → id; moves the conversation to the top of the user's list */
  saveLog: StatementSync;
  /** id, seq, type, event */
  addEvent: StatementSync;
  /** id, batch → result */
  findBatch: StatementSync;
  /** id, batch, result */
  addBatch: StatementSync;
  /** user, name, after, types as a JSON array or null, limit (-1 for none) → seq and event, the last first */
  loadLastFirst: StatementSync;
  /** user, before or null, limit → name and summary, the most recently appended first */
  listLogs: StatementSync;
  /** user, name */
  deleteLog: StatementSync;
}

const summary = "title, events, created_at AS createdAt, updated_at AS updatedAt";

export function prepareStatements(database: DatabaseSync): Statements {
  return {
    findLog: database.prepare(`SELECT id, ${summary} FROM conversations WHERE user = ? AND name = ?`),
    saveLog: database.prepare(`
      INSERT INTO conversations (user, name, position, title, events, created_at, updated_at)
      VALUES (?1, ?2, (SELECT coalesce(max(position), 0) + 1 FROM conversations WHERE user = ?1), ?3, ?4, ?5, ?6)
      ON CONFLICT (user, name) DO UPDATE SET
        position = excluded.position, title = excluded.title, events = excluded.events, updated_at = excluded.updated_at
      RETURNING id`),
    addEvent: database.prepare("INSERT INTO events (conversation, seq, type, event) VALUES (?, ?, ?, ?)"),
    findBatch: database.prepare("SELECT result FROM batches WHERE conversation = ? AND id = ?"),
    addBatch: database.prepare("INSERT INTO batches (conversation, id, result) VALUES (?, ?, ?)"),
    loadLastFirst: database.prepare(`
      SELECT seq, event FROM events
      WHERE conversation = (SELECT id FROM conversations WHERE user = ?1 AND name = ?2)
        AND seq > ?3
        AND (?4 IS NULL OR type IN (SELECT value FROM json_each(?4)))
      ORDER BY seq DESC LIMIT ?5`),
    // One range on (user, position), whether it begins at the top or somewhere below.
    listLogs: database.prepare(`
      SELECT name, ${summary} FROM conversations
      WHERE user = ?1
        AND position < iif(?2 IS NULL, 9e15, (SELECT position FROM conversations WHERE user = ?1 AND name = ?2))
      ORDER BY position DESC LIMIT ?3`),
    deleteLog: database.prepare("DELETE FROM conversations WHERE user = ? AND name = ?"),
  };
}

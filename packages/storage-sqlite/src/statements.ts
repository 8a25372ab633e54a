import type { DatabaseSync, StatementSync } from "node:sqlite";

/**
 * The statements of the store, prepared once. Names and batch ids are bound as JSON text (schema.ts). Parameters that
 * are used twice have names, because Node 22 binds no numbered ones.
 */
export interface Statements {
  /** user, name → id and summary */
  findLog: StatementSync;
  /** { user, name, title, events, createdAt, updatedAt } → id; moves the conversation to the top of the user's list */
  saveLog: StatementSync;
  /** id, seq, type, event */
  addEvent: StatementSync;
  /** id, batch → result */
  findBatch: StatementSync;
  /** id, batch, result */
  addBatch: StatementSync;
  /** { user, name, after, types as a JSON array or null, limit (-1 for none) } → seq and event, the last first */
  loadLastFirst: StatementSync;
  /** { user, before or null, limit } → name and summary, the most recently appended first */
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
      VALUES ($user, $name, (SELECT coalesce(max(position), 0) + 1 FROM conversations WHERE user = $user),
        $title, $events, $createdAt, $updatedAt)
      ON CONFLICT (user, name) DO UPDATE SET
        position = excluded.position, title = excluded.title, events = excluded.events, updated_at = excluded.updated_at
      RETURNING id`),
    addEvent: database.prepare("INSERT INTO events (conversation, seq, type, event) VALUES (?, ?, ?, ?)"),
    findBatch: database.prepare("SELECT result FROM batches WHERE conversation = ? AND id = ?"),
    addBatch: database.prepare("INSERT INTO batches (conversation, id, result) VALUES (?, ?, ?)"),
    loadLastFirst: database.prepare(`
      SELECT seq, event FROM events
      WHERE conversation = (SELECT id FROM conversations WHERE user = $user AND name = $name)
        AND seq > $after
        AND ($types IS NULL OR type IN (SELECT value FROM json_each($types)))
      ORDER BY seq DESC LIMIT $limit`),
    // One range on (user, position), whether it begins at the top or somewhere below.
    listLogs: database.prepare(`
      SELECT name, ${summary} FROM conversations
      WHERE user = $user
        AND position < iif($before IS NULL, 9e15, (SELECT position FROM conversations WHERE user = $user AND name = $before))
      ORDER BY position DESC LIMIT $limit`),
    deleteLog: database.prepare("DELETE FROM conversations WHERE user = ? AND name = ?"),
  };
}

import { DatabaseSync } from "node:sqlite";
import { tables } from "../src/schema/tables.ts";
import { dueAt } from "../src/wakes/keys.ts";

/** The statements of the store for one conversation, without its checks, checksums and hashes. */
export interface BareInbox {
  post(id: string, message: string): void;
  /** Stores one event, which takes the message out of the inbox. */
  take(id: string, event: string): void;
  /** Sets a timer, claims the conversation and ends the claim. */
  look(): void;
  close(): void;
}

export function bareInbox(path: string): BareInbox {
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON; ${tables}
    INSERT INTO keys (id, user, name, scope, checksum) VALUES (1, 'null', '"c"', 'null', 0);
    INSERT INTO conversations (id, user, name, position, title, created_at, checksum, indexed)
      VALUES (1, 'null', '"c"', 1, 'x', 0, 0, 0);`);
  const statement = (sql: string) => database.prepare(sql);
  const begin = statement("BEGIN IMMEDIATE");
  const commit = statement("COMMIT");
  const findKey = statement("SELECT id FROM keys WHERE user = 'null' AND name = '\"c\"'");
  const findId = statement("SELECT seq FROM message_ids WHERE key = ? AND id = ?");
  const count = statement("UPDATE keys SET last_message = last_message + 1 WHERE id = ? RETURNING last_message AS seq");
  const addMessage = statement(
    "INSERT INTO messages (place, id, message, posted_at, checksum) VALUES (? << 32 | ?, ?, ?, 1, 0)",
  );
  const addId = statement("INSERT INTO message_ids (key, id, hash, seq, checksum) VALUES (?, ?, 'hash', ?, 0)");
  const findMessage = statement("SELECT message FROM messages WHERE place = (? << 32 | ?)");
  const removeMessage = statement("DELETE FROM messages WHERE place = (? << 32 | ?)");
  const setTaken = statement("UPDATE message_ids SET seq = NULL WHERE key = ? AND id = ?");
  const findDue = statement(`SELECT due_at, ${dueAt("lease_at")} AS after FROM keys WHERE id = ?`);
  const setDue = statement("UPDATE keys SET due_at = ? WHERE id = ?");
  const countUp = statement(`
    INSERT INTO wake_scopes VALUES ('null', 1) ON CONFLICT (scope) DO UPDATE SET version = version + 1`);
  const addEvent = statement("INSERT INTO events (place, type, event, checksum) VALUES (1 << 32 | ?, 'user', ?, 0)");
  const setTimer = statement("INSERT OR REPLACE INTO timers (key, id, at, checksum) VALUES (?, '\"t\"', 1, 0)");
  const findFirst = statement("SELECT id FROM keys WHERE scope = 'null' AND due_at <= ? ORDER BY due_at LIMIT 1");
  const takeTimers = statement("DELETE FROM timers WHERE key = ? AND at <= ? RETURNING id");
  const addClaim = statement(
    "INSERT INTO claims (key, user, owner, expires_at) VALUES (?, 'null', '\"o\"', 9e12) RETURNING token",
  );
  const hold = statement(`
    UPDATE keys SET attempts = attempts + 1, reasons = '["timer:t"]', held_at = 9e12, seen_message = last_message,
      seen_at = 1e12, lease_at = NULL WHERE id = ?`);
  const endClaim = statement("DELETE FROM claims WHERE token = ? RETURNING key");
  const done = statement("UPDATE keys SET reasons = NULL, held_at = NULL, attempts = 0 WHERE id = ?");
  let seq = 0;

  return {
    post: (id, message) =>
      transaction(() => {
        const key = Number(findKey.get()?.id);
        findId.get(key, id);
        const place = Number(count.get(key)?.seq);
        addMessage.run(key, place, id, message);
        addId.run(key, id, place);
        updateDue(key);
      }),
    take: (id, event) =>
      transaction(() => {
        const place = Number(findId.get(1, id)?.seq);
        findMessage.get(1, place);
        removeMessage.run(1, place);
        setTaken.run(1, id);
        updateDue(1);
        addEvent.run(++seq, event);
      }),
    look() {
      transaction(() => {
        const key = Number(findKey.get()?.id);
        setTimer.run(key);
        updateDue(key);
      });
      const token = transaction(() => {
        const key = Number(findFirst.get(1e12)?.id);
        takeTimers.all(key, 1e12);
        const { token } = addClaim.get(key) ?? {};
        hold.run(key);
        updateDue(key);
        return token ?? 0;
      });
      transaction(() => {
        const key = Number(endClaim.get(token)?.key);
        done.run(key);
        updateDue(key);
      });
    },
    close: () => database.close(),
  };

  function transaction<T>(work: () => T): T {
    begin.run();
    const result = work();
    commit.run();
    return result;
  }

  function updateDue(key: number): void {
    const { due_at: before, after } = findDue.get(key) ?? {};
    if (before === after) return;
    setDue.run(after ?? null, key);
    if (after !== null) countUp.run();
  }
}

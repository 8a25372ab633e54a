import type { DatabaseSync } from "node:sqlite";
import { keyChecksum, noScope } from "../../rows/names.ts";
import { conversationColumns, conversationOf } from "../../rows/stored-event.ts";
import { tablesOfSchema3 } from "../tables.ts";

/**
 * Migrates from schema 2, which had neither messages nor wakes. Every conversation gets a row in `keys` with its own id and
 * without a scope, and is due when its lease ends. Must run inside the caller's transaction.
 *
 * @throws StoreError `corrupt` if the row of a conversation is not what version 2 wrote
 */
export function migrateToSchema3(sqlite: DatabaseSync, path: string): void {
  for (const row of sqlite.prepare(`SELECT ${conversationColumns} FROM conversations`).iterate()) {
    conversationOf(row, path);
  }
  sqlite.function("key_checksum", (user, name) => keyChecksum(String(user), String(name), noScope));
  sqlite.exec(`
    ${tablesOfSchema3}
    INSERT INTO keys (id, user, name, scope, checksum, due_at, lease_at)
      SELECT id, user, name, '${noScope}', key_checksum(user, name), expires_at, expires_at
      FROM conversations LEFT JOIN leases USING (user, name) ORDER BY id;
    DELETE FROM sqlite_sequence WHERE name = 'keys';
    INSERT INTO sqlite_sequence (name, seq) SELECT 'keys', seq FROM sqlite_sequence WHERE name = 'conversations';
    PRAGMA user_version = 3;
  `);
}

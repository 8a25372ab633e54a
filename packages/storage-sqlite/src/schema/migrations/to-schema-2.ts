import type { DatabaseSync } from "node:sqlite";
import { damaged } from "../../database/damaged.ts";
import { eventChecksum, rowChecksum } from "../../rows/checksum.ts";
import { eventPlace } from "../../rows/event-place.ts";
import { tablesOfSchema2 } from "../tables.ts";

/**
 * Migrates from schema 1, which stored the last number and time of a log in the conversation's row, and had no
 * checksums, leases, profiles or search. Must run inside the caller's transaction, which rolls back if it throws.
 *
 * @throws StoreError `corrupt` if the database is not what version 1 wrote
 */
export function migrateToSchema2(sqlite: DatabaseSync, path: string): void {
  refuseGaps(sqlite, path);
  const counts = countsOf(sqlite);
  // SQLite calls this in the order of the logs: each checksum continues the one before.
  let checksum = 0;
  sqlite.function("event_checksum", (conversation, seq, text) => {
    checksum = eventChecksum(seq === 1 ? Number(conversation) : checksum, String(text));
    return checksum;
  });
  sqlite.function("row_checksum", { varargs: true }, (...values) =>
    rowChecksum(...values.map((value) => (typeof value === "number" ? value : String(value)))),
  );
  sqlite.exec(`
    ALTER TABLE conversations RENAME TO old_conversations;
    ALTER TABLE events RENAME TO old_events;
    ALTER TABLE batches RENAME TO old_batches;
    ${tablesOfSchema2}
    INSERT INTO conversations (id, user, name, position, title, created_at, checksum, indexed)
      SELECT id, user, name, position, title, created_at, row_checksum(user, name, title, created_at), 0
      FROM old_conversations ORDER BY id;
    INSERT INTO events (place, type, event, checksum)
      SELECT ${eventPlace("conversation", "seq")}, type, event, event_checksum(conversation, seq, event)
      FROM old_events ORDER BY conversation, seq;
    INSERT INTO batches (conversation, id, result, checksum)
      SELECT conversation, id, result, row_checksum(conversation, id, result) FROM old_batches;
    DROP TABLE old_batches;
    DROP TABLE old_events;
    DROP TABLE old_conversations;
    PRAGMA user_version = 2;
  `);
  if (JSON.stringify(countsOf(sqlite)) !== JSON.stringify(counts)) {
    throw damaged(path, "its content could not be migrated completely, and was not changed");
  }
}

function countsOf(sqlite: DatabaseSync): unknown {
  const tablesOfBoth = ["conversations", "events", "batches"];
  return tablesOfBoth.map((table) => Object.values(sqlite.prepare(`SELECT count(*) FROM ${table}`).get() ?? {})[0]);
}

/** Since schema 2 the last event gives the length of a log, so a log that has lost its end must be detected here. */
function refuseGaps(sqlite: DatabaseSync, path: string): void {
  const gap = sqlite
    .prepare(`
      SELECT name, conversations.events AS expected, count(seq) AS found
      FROM conversations LEFT JOIN events ON events.conversation = conversations.id
      GROUP BY conversations.id
      HAVING found <> expected OR min(seq) <> 1 OR max(seq) <> expected
      LIMIT 1`)
    .get();
  if (gap) throw damaged(path, `conversation ${gap.name} has ${gap.found} events where ${gap.expected} were stored`);
}

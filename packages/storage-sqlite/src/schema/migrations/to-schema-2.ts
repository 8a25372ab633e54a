import type { DatabaseSync } from "node:sqlite";
import { damaged } from "../../database/damaged.ts";
import { eventChecksum, rowChecksum } from "../../rows/checksum.ts";
import { eventPlace } from "../../rows/event-place.ts";
import { tables } from "../tables.ts";

/**
 * From schema 1, which kept the last number and time of a log in its row and had neither checksums nor leases, profiles
 * and search. Runs in a transaction of the caller's and leaves the database as it was if it throws.
 *
 * @throws StoreError `corrupt` where the database is not what version 1 wrote
 */
export function migrateToSchema2(sqlite: DatabaseSync, path: string): void {
  refuseGaps(sqlite, path);
  const counts = countsOf(sqlite);
  // Called for one event after the other, in the order of the logs: each goes on from the one before.
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
    ${tables}
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
  `);
  if (JSON.stringify(countsOf(sqlite)) !== JSON.stringify(counts)) {
    throw damaged(path, "its content could not be brought to this version as a whole, and was left as it was");
  }
}

function countsOf(sqlite: DatabaseSync): unknown {
  const tablesOfBoth = ["conversations", "events", "batches"];
  return tablesOfBoth.map((table) => Object.values(sqlite.prepare(`SELECT count(*) FROM ${table}`).get() ?? {})[0]);
}

/** From here on the last event says how long a log is: one that has lost its end would not be noticed any more. */
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

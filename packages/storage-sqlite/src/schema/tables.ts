import { conversationAt, seqAt } from "../rows/event-place.ts";

/** "cogy" in ASCII: SQLite's header field by which applications recognize their databases. */
export const applicationId = 0x636f6779;

/**
 * Stored in the file. A change of the tables raises it. It never edits a constant below: it adds one to `tables`, and a migration that
 * runs it to `migrations` in prepare-schema.ts.
 */
export const schemaVersion = 3;

/**
 * The tables since schema 2.
 *
 * `user`, `name`, `owner` and the ids of batches are JSON text (`null` is the anonymous user), as are all strings of a
 * caller in the later tables. SQLite's own text cannot hold lone surrogates, and some of its functions stop at NUL, so two
 * different names could become one.
 *
 * - conversations: the keys that have events. `id` is that of the table `keys` (before schema 3 its own). `position` gives
 *   the order of the list. It rises when the user appends to another conversation than before. The summary takes the last
 *   number and time from the last event. Ids are never reused. `checksum` covers user, name, title and creation time.
 *   `indexed` is the sequence number of the last event that `search` contains.
 * - events: `place` is the conversation's id and sequence number (rows/event-place.ts). `checksum` continues that of the
 *   event before (rows/checksum.ts).
 * - leases: `token` is never reused. Times are Unix milliseconds.
 * - search_scopes: `search` contains all events of the user's logs below the position `indexed`.
 * - search_leftovers: deleted conversations whose words must still be removed from `search`. Row 0 means that `search`
 *   must then be merged, row -1 that the merge is running (search/search-purge.ts).
 *
 * The first search adds the table `search` (search/search-table.ts): the words of events. Each word starts with the id
 * of its user's scope, so that a search finds only words of its user.
 */
export const tablesOfSchema2 = `
  CREATE TABLE conversations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user TEXT NOT NULL,
    name TEXT NOT NULL,
    position INTEGER NOT NULL,
    title TEXT NOT NULL,
    created_at REAL NOT NULL,
    checksum INTEGER NOT NULL,
    indexed INTEGER NOT NULL,
    UNIQUE (user, name),
    UNIQUE (user, position)
  ) STRICT;

  CREATE TABLE events (
    place INTEGER PRIMARY KEY,
    type TEXT NOT NULL,
    event TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    conversation INTEGER AS ${conversationAt("place")},
    seq INTEGER AS ${seqAt("place")}
  ) STRICT;

  CREATE TABLE batches (
    conversation INTEGER NOT NULL,
    id TEXT NOT NULL,
    result INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (conversation, id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE leases (
    token INTEGER PRIMARY KEY AUTOINCREMENT,
    user TEXT NOT NULL,
    name TEXT NOT NULL,
    owner TEXT NOT NULL,
    expires_at REAL NOT NULL,
    UNIQUE (user, name)
  ) STRICT;

  CREATE TABLE profiles (
    user TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    profile TEXT NOT NULL,
    checksum INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE search_scopes (
    id INTEGER PRIMARY KEY,
    user TEXT NOT NULL UNIQUE,
    indexed INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE search_leftovers (
    conversation INTEGER PRIMARY KEY
  ) STRICT;
`;

/**
 * The tables that schema 3 added. Times are Unix milliseconds by the clock of the store.
 *
 * - keys: the keys that were written by `append`, `post` or `wake`. Ids are never reused. `checksum` covers user, name and
 *   scope. `due_at` is when the conversation can be claimed, NULL if at no time; it follows from all that is below
 *   (wakes/keys.ts, rows/due-time.ts). `lease_at` is the end of the last lease, unless it was released, or claimed when it had ended.
 *   `last_message` counts the posted messages. Claims have seen the messages up to `seen_message` that had come at
 *   `seen_at`. `reasons` is what was claimed and is not done, a sealed
 *   JSON array (rows/checksum.ts); the conversation is due for it at `held_at`.
 *   `parked_reason` is sealed, too. `attempts` counts the claims that have not ended in `done` or `defer`.
 * - timers: those that no claim has seen.
 * - messages: those that were not taken. `place` is the id of the key and the number of the message, as in `events`. `at`
 *   is NULL for a message that was in the inbox at once. `checksum` covers the row.
 * - message_ids: every id that was posted. `hash` is the SHA-256 of the message. `seq` is its number, NULL once it was
 *   taken. `checksum` covers key, id and hash.
 * - claims: those that were not settled, at most one of a key. `user` is that of the key.
 * - wake_scopes: `version` rises when a conversation of the scope can be claimed at another time than before, other than by
 *   the renewal of its lease. So a process notices what others have made due, and when it must look again.
 * - slots: places that are held, until `expires_at`.
 */
export const tablesOfSchema3 = `
  CREATE TABLE keys (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user TEXT NOT NULL,
    name TEXT NOT NULL,
    scope TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    due_at REAL,
    lease_at REAL,
    last_message INTEGER NOT NULL DEFAULT 0,
    seen_message INTEGER NOT NULL DEFAULT 0,
    seen_at REAL NOT NULL DEFAULT 0,
    reasons TEXT,
    held_at REAL,
    attempts INTEGER NOT NULL DEFAULT 0,
    parked_at REAL,
    parked_reason TEXT,
    UNIQUE (user, name)
  ) STRICT;
  CREATE INDEX due_keys ON keys (scope, due_at, user) WHERE due_at IS NOT NULL;
  CREATE INDEX parked_keys ON keys (scope, parked_at) WHERE parked_at IS NOT NULL;

  CREATE TABLE timers (
    key INTEGER NOT NULL,
    id TEXT NOT NULL,
    at REAL NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (key, id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE messages (
    place INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    message TEXT NOT NULL,
    posted_at REAL NOT NULL,
    at REAL,
    checksum INTEGER NOT NULL,
    key INTEGER AS ${conversationAt("place")}
  ) STRICT;
  CREATE INDEX message_times ON messages (key, at);

  CREATE TABLE message_ids (
    key INTEGER NOT NULL,
    id TEXT NOT NULL,
    hash TEXT NOT NULL,
    seq INTEGER,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (key, id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE claims (
    token INTEGER PRIMARY KEY AUTOINCREMENT,
    key INTEGER NOT NULL UNIQUE,
    user TEXT NOT NULL,
    owner TEXT NOT NULL,
    expires_at REAL NOT NULL
  ) STRICT;
  CREATE INDEX claims_of_users ON claims (user, expires_at);

  CREATE TABLE wake_scopes (
    scope TEXT PRIMARY KEY,
    version INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE slots (
    token INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    owner TEXT NOT NULL,
    expires_at REAL NOT NULL
  ) STRICT;
  CREATE INDEX slots_of_names ON slots (name, expires_at);
`;

/**
 * Creates the tables of this version in an empty database. The constants in it never change, because migrations run them; a change of
 * the tables is one more constant, which its migration runs too, so that new and migrated files have the same schema text.
 */
export const tables = `
  ${tablesOfSchema2}
  ${tablesOfSchema3}
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${schemaVersion};
`;

/** The table that the first search adds. `searchTokens` makes its tokens. */
export const searchTable = "CREATE VIRTUAL TABLE search USING fts5 (words, tokenize = 'ascii')";

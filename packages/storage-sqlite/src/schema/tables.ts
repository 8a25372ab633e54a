import { conversationAt, seqAt } from "../rows/event-place.ts";

/** "cogy" in ASCII: SQLite's header field by which applications recognize their databases. */
export const applicationId = 0x636f6779;

/** Stored in the file. A change of the tables must raise it and add a migration. */
export const schemaVersion = 2;

/**
 * `user`, `name`, `owner` and the ids of batches are JSON text (`null` is the anonymous user). SQLite's own text cannot
 * hold lone surrogates, and some of its functions stop at NUL, so two different names could become one.
 *
 * - conversations: `position` gives the order of the list. It rises when the user appends to another conversation than
 *   before. The summary takes the last number and time from the last event. Ids are never reused. `checksum` covers
 * user,
 *   name, title and creation time. `indexed` is the sequence number of the last event that `search` contains.
 * - events: `place` is the conversation's id and sequence number (rows/event-place.ts). `checksum` continues that of
 * the
 *   event before (rows/checksum.ts).
 * - leases: `token` is never reused. Times are Unix milliseconds.
 * - search_scopes: `search` contains all events of the user's logs below the position `indexed`.
 * - search_leftovers: deleted conversations whose words must still be removed from `search`. Row 0 means that `search`
 *   must then be merged, row -1 that the merge is running (search/search-purge.ts).
 *
 * The first search adds the table `search` (search/search-table.ts): the words of events. Each word starts with the id
 * of its user's scope, so that a search finds only words of its user.
 */
export const tables = `
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

  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${schemaVersion};
`;

/** The table that the first search adds. `searchTokens` makes its tokens. */
export const searchTable = "CREATE VIRTUAL TABLE search USING fts5 (words, tokenize = 'ascii')";

import { conversationAt, seqAt } from "../rows/event-place.ts";

/** "cogy", in the place in the file's header by which programs tell their databases. */
export const applicationId = 0x636f6779;

/** Written into the file; a change of the tables raises it and adds a migration. */
export const schemaVersion = 2;

/**
 * `user`, `name`, `owner` and the ids of batches are JSON text (`null` is the anonymous user), because SQLite's own text
 * can hold neither lone surrogates nor, for all of its functions, NUL: two different names must never become one.
 *
 * - conversations: `position` rises when the user appends to another conversation than before, and gives the order of the
 *   list. The last number and time are those of the last event. Ids are never given again. `checksum` is over user, name,
 *   title and creation. `indexed` is the number of the last event that `search` holds.
 * - events: `place` is the conversation's id and, in the lower 32 bits, the sequence number. That makes the log of a
 *   conversation one range of a table that is ordered by a number, which is the fastest that SQLite has.
 *   `checksum` goes on from that of the event before (rows/checksum.ts).
 * - leases: `token` is never given again. Times are Unix milliseconds.
 * - search_scopes: the logs of the user that are below the position `indexed` are in `search` as a whole.
 * - search_leftovers: conversations that were deleted and whose words are still to be removed from `search`; 0 when it is
 *   to be merged as a whole then, -1 while it is merged (search/search-purge.ts).
 *
 * The first search adds one more, `search` (search/search-table.ts): the words of events, each led by the id of its user's
 * scope, so that no search sees more than its user's.
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

/** The one that the first search adds. The tokens are made by `searchTokens`. */
export const searchTable = "CREATE VIRTUAL TABLE search USING fts5 (words, tokenize = 'ascii')";

import { bodyQuote, quoteIdentifier, quoteLiteral } from "../database/quote.ts";
import { functions } from "./functions.ts";

/** Stored in the database. A change of the tables or functions must raise it and add a migration. */
export const schemaVersion = 1;

/**
 * The SQL that creates all tables and functions of the store. Must run inside a transaction.
 *
 * `user_name`, `name` and `lease_owner` are JSON text (`null` is the anonymous user). PostgreSQL's own text cannot hold
 * NUL or lone surrogates, so two different names could become one. Names may be too long for an index, so `key` and
 * `user_key` are their SHA-256.
 *
 * - conversations: `position` gives the order of the list and rises with the appends of a user. A row without a
 * position
 *   is a lease of an unwritten conversation. `events` is the last sequence number. `passages` contains the events up to
 *   `indexed`. `retried` are attempts that were retried; their first try does nothing if it arrives late.
 * - events: the last event of an append has its `batch`, the hash of the writer's id, or without one its `attempt`, a
 *   generated id.
 */
export function definitions(schema: string): string {
  const name = quoteIdentifier(schema);
  const body = bodyQuote(name);
  return `-- CREATE SCHEMA IF NOT EXISTS needs the right to create a schema even if the schema exists.
DO ${body}
BEGIN
  IF NOT EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname = ${quoteLiteral(schema)}) THEN
    CREATE SCHEMA ${name};
  END IF;
END ${body};

CREATE TABLE IF NOT EXISTS ${name}.cogency_version (
  version integer NOT NULL
);
INSERT INTO ${name}.cogency_version (version)
  SELECT ${schemaVersion} WHERE NOT EXISTS (SELECT FROM ${name}.cogency_version);

CREATE SEQUENCE IF NOT EXISTS ${name}.positions;
CREATE SEQUENCE IF NOT EXISTS ${name}.lease_tokens;

CREATE TABLE IF NOT EXISTS ${name}.conversations (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key bytea NOT NULL UNIQUE,
  user_key bytea NOT NULL,
  user_name text NOT NULL,
  name text NOT NULL,
  position bigint,
  title text NOT NULL DEFAULT '',
  events bigint NOT NULL DEFAULT 0,
  created_at double precision NOT NULL DEFAULT 0,
  updated_at double precision NOT NULL DEFAULT 0,
  indexed bigint NOT NULL DEFAULT 0,
  is_unindexed boolean NOT NULL DEFAULT false,
  lease_owner text,
  lease_token bigint,
  lease_ends double precision,
  retried uuid[]
) WITH (fillfactor = 70);
CREATE INDEX IF NOT EXISTS conversations_position ON ${name}.conversations (user_key, position);
CREATE INDEX IF NOT EXISTS conversations_unindexed ON ${name}.conversations (user_key) WHERE is_unindexed;

CREATE TABLE IF NOT EXISTS ${name}.events (
  conversation bigint NOT NULL,
  seq bigint NOT NULL,
  type text NOT NULL,
  event text NOT NULL,
  batch bytea,
  attempt uuid,
  PRIMARY KEY (conversation, seq)
);
CREATE UNIQUE INDEX IF NOT EXISTS events_batch ON ${name}.events (conversation, batch) WHERE batch IS NOT NULL;

CREATE TABLE IF NOT EXISTS ${name}.passages (
  conversation bigint NOT NULL,
  seq bigint NOT NULL,
  part integer NOT NULL,
  is_returned boolean NOT NULL,
  words tsvector NOT NULL,
  PRIMARY KEY (conversation, seq, part)
);
CREATE INDEX IF NOT EXISTS passages_words ON ${name}.passages USING gin (words);

CREATE TABLE IF NOT EXISTS ${name}.profiles (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_key bytea NOT NULL UNIQUE,
  user_name text NOT NULL,
  profile text NOT NULL,
  version bigint NOT NULL,
  attempts uuid[] NOT NULL
);

${functions(schema)}`;
}

import { bodyQuote, quoteIdentifier, quoteLiteral } from "../database/quote.ts";
import { functions } from "./functions.ts";

/** Kept in the database; a change of the tables or functions raises it and adds a migration. */
export const schemaVersion = 1;

/**
 * Everything the store needs, for a transaction.
 *
 * `user_name`, `name` and `lease_owner` are JSON text (`null` is the anonymous user), because PostgreSQL's own text holds
 * no NUL and no lone surrogates: two different names must never become one. They may be longer than an index takes, so
 * `key` and `user_key` are the SHA-256 of them, for which nobody can find two texts. `position` rises with the appends of
 * a user and gives the order of the list; a row without one is a lease of a conversation that was not written yet.
 * `events` is the last sequence number, `indexed` the one up to which `passages` has the events. `batch` and `attempt`
 * stand in the last event of an append: the writer's id of it (hashed) or one that was made up for it; `retried` are
 * attempts that were made again, so that the first one, should it arrive late, does nothing.
 */
export function definitions(schema: string): string {
  const name = quoteIdentifier(schema);
  const body = bodyQuote(name);
  return `-- CREATE SCHEMA IF NOT EXISTS wants the right to create one also where there is one.
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

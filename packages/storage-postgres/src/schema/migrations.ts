/**
 * The SQL that turns version 0, an empty schema, into version 1, that into version 2, and so on. The parameter is the quoted
 * name of the schema. What stands here is in databases: a change of the tables is another migration.
 *
 * All names and texts of callers are JSON text (`null` is the anonymous user). PostgreSQL's own text cannot hold NUL or
 * lone surrogates, so two different names could become one. Names may be too long for an index, so `key`, `user_key`,
 * `scope` and `id_key` are their SHA-256.
 *
 * - conversations: `position` gives the order of the list and rises with the appends of a user. A row without a position
 *   has no events: it has a lease, messages or wakes. `events` is the last sequence number. `passages` contains the events
 *   up to `indexed`. `retried` are attempts that were retried; their first try does nothing if it arrives late. `scope` is
 *   NULL until an append, a post or a wake fixes it. So is that of a conversation of version 1.
 * - events: the last event of an append has its `batch`, the hash of the writer's id, or without one its `attempt`, a
 *   generated id.
 * - inbox: a message that was taken keeps only `id_key` and `hash`. `is_seen` says that a claim has covered it.
 * - wakes: one row for each conversation that is due at some time, is claimed or parked. `inbox_at`, `lease_at` and
 *   `timer_at` are when it becomes due for a reason that no claim has covered; `held` are the reasons that a claim has
 *   covered and that are not done. After a `defer` it is due for those at `held_at`. A renewal of a lease leaves `lease_at`,
 *   so that no index changes. It may be earlier than the end of the lease: whoever finds it due reads `lease_ends`.
 * - slots: `id` is chosen by the holder. `owner` is a name and, with `liveness`, another line with the id in `holders`.
 * - live_key: one row, a secret of the schema (see live/seals.ts).
 * - holders: the stores with `liveness`, whose ids are in `lease_holder` and `claim_holder`. One without a lock is gone.
 */
export const migrations: readonly ((name: string) => string)[] = [
  (name) => `CREATE SEQUENCE ${name}.positions;
CREATE SEQUENCE ${name}.lease_tokens;

CREATE TABLE ${name}.conversations (
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
CREATE INDEX conversations_position ON ${name}.conversations (user_key, position);
CREATE INDEX conversations_unindexed ON ${name}.conversations (user_key) WHERE is_unindexed;

CREATE TABLE ${name}.events (
  conversation bigint NOT NULL,
  seq bigint NOT NULL,
  type text NOT NULL,
  event text NOT NULL,
  batch bytea,
  attempt uuid,
  PRIMARY KEY (conversation, seq)
);
CREATE UNIQUE INDEX events_batch ON ${name}.events (conversation, batch) WHERE batch IS NOT NULL;

CREATE TABLE ${name}.passages (
  conversation bigint NOT NULL,
  seq bigint NOT NULL,
  part integer NOT NULL,
  is_returned boolean NOT NULL,
  words tsvector NOT NULL,
  PRIMARY KEY (conversation, seq, part)
);
CREATE INDEX passages_words ON ${name}.passages USING gin (words);

CREATE TABLE ${name}.profiles (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_key bytea NOT NULL UNIQUE,
  user_name text NOT NULL,
  profile text NOT NULL,
  version bigint NOT NULL,
  attempts uuid[] NOT NULL
);`,
  (name) => `CREATE SEQUENCE ${name}.claim_tokens;
CREATE SEQUENCE ${name}.holder_ids AS integer CYCLE;

ALTER TABLE ${name}.conversations ADD COLUMN scope bytea;

CREATE TABLE ${name}.inbox (
  conversation bigint NOT NULL,
  id_key bytea NOT NULL,
  hash bytea NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  id text,
  message text,
  posted_at double precision NOT NULL,
  at double precision NOT NULL,
  is_seen boolean NOT NULL DEFAULT false,
  PRIMARY KEY (conversation, id_key)
) WITH (fillfactor = 70);
CREATE INDEX inbox_unread ON ${name}.inbox (conversation, seq) WHERE message IS NOT NULL;

CREATE TABLE ${name}.timers (
  conversation bigint NOT NULL,
  id_key bytea NOT NULL,
  reason text NOT NULL,
  at double precision NOT NULL,
  PRIMARY KEY (conversation, id_key)
);

CREATE TABLE ${name}.wakes (
  conversation bigint PRIMARY KEY,
  user_key bytea NOT NULL,
  scope bytea,
  inbox_at double precision,
  lease_at double precision,
  lease_holder integer,
  timer_at double precision,
  held text[] NOT NULL DEFAULT '{}',
  held_at double precision,
  attempts integer NOT NULL DEFAULT 0,
  claim_token bigint,
  claim_owner text,
  claim_holder integer,
  claim_ends double precision,
  parked text,
  parked_at double precision,
  due double precision GENERATED ALWAYS AS (CASE WHEN parked IS NOT NULL THEN NULL
    WHEN claim_token IS NOT NULL THEN claim_ends ELSE least(inbox_at, lease_at, timer_at, held_at) END) STORED
) WITH (fillfactor = 70);
CREATE INDEX wakes_due ON ${name}.wakes (scope, due) WHERE due IS NOT NULL;
CREATE INDEX wakes_user ON ${name}.wakes (scope, user_key, due) WHERE due IS NOT NULL;
CREATE INDEX wakes_claimed ON ${name}.wakes (user_key) WHERE claim_token IS NOT NULL;
CREATE INDEX wakes_parked ON ${name}.wakes (scope, parked_at) WHERE parked IS NOT NULL;

CREATE TABLE ${name}.slots (
  id uuid PRIMARY KEY,
  name_key bytea NOT NULL,
  owner text NOT NULL,
  ends double precision NOT NULL
);
CREATE INDEX slots_name ON ${name}.slots (name_key);

CREATE TABLE ${name}.holders (
  id integer PRIMARY KEY
);`,
  // Only functions changed: a title that a person gives replaces the one before.
  () => "NULL;",
  (name) => `CREATE TABLE ${name}.live_key (
  key bytea NOT NULL
);
INSERT INTO ${name}.live_key (key)
  SELECT sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8'));`,
];

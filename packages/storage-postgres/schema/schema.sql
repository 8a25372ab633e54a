BEGIN;

DO $body$
DECLARE
  present integer;
BEGIN
  -- Only one transaction prepares the schema, others wait.
  PERFORM pg_advisory_xact_lock(hashtextextended(E'cogency cogency', 0));
  -- CREATE SCHEMA IF NOT EXISTS needs the right to create a schema even if the schema exists.
  IF NOT EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname = E'cogency') THEN
    CREATE SCHEMA "cogency";
  END IF;
  CREATE TABLE IF NOT EXISTS "cogency".cogency_version (
    version integer NOT NULL
  );
  SELECT coalesce(max(version), 0) INTO present FROM "cogency".cogency_version;
  IF present > 4 THEN
    RAISE EXCEPTION 'A newer version has prepared this schema. Nothing was changed.';
  END IF;

  IF present < 1 THEN
    CREATE SEQUENCE "cogency".positions;
    CREATE SEQUENCE "cogency".lease_tokens;

    CREATE TABLE "cogency".conversations (
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
    CREATE INDEX conversations_position ON "cogency".conversations (user_key, position);
    CREATE INDEX conversations_unindexed ON "cogency".conversations (user_key) WHERE is_unindexed;

    CREATE TABLE "cogency".events (
      conversation bigint NOT NULL,
      seq bigint NOT NULL,
      type text NOT NULL,
      event text NOT NULL,
      batch bytea,
      attempt uuid,
      PRIMARY KEY (conversation, seq)
    );
    CREATE UNIQUE INDEX events_batch ON "cogency".events (conversation, batch) WHERE batch IS NOT NULL;

    CREATE TABLE "cogency".passages (
      conversation bigint NOT NULL,
      seq bigint NOT NULL,
      part integer NOT NULL,
      is_returned boolean NOT NULL,
      words tsvector NOT NULL,
      PRIMARY KEY (conversation, seq, part)
    );
    CREATE INDEX passages_words ON "cogency".passages USING gin (words);

    CREATE TABLE "cogency".profiles (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      user_key bytea NOT NULL UNIQUE,
      user_name text NOT NULL,
      profile text NOT NULL,
      version bigint NOT NULL,
      attempts uuid[] NOT NULL
    );
  END IF;
  IF present < 2 THEN
    CREATE SEQUENCE "cogency".claim_tokens;
    CREATE SEQUENCE "cogency".holder_ids AS integer CYCLE;

    ALTER TABLE "cogency".conversations ADD COLUMN scope bytea;

    CREATE TABLE "cogency".inbox (
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
    CREATE INDEX inbox_unread ON "cogency".inbox (conversation, seq) WHERE message IS NOT NULL;

    CREATE TABLE "cogency".timers (
      conversation bigint NOT NULL,
      id_key bytea NOT NULL,
      reason text NOT NULL,
      at double precision NOT NULL,
      PRIMARY KEY (conversation, id_key)
    );

    CREATE TABLE "cogency".wakes (
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
    CREATE INDEX wakes_due ON "cogency".wakes (scope, due) WHERE due IS NOT NULL;
    CREATE INDEX wakes_user ON "cogency".wakes (scope, user_key, due) WHERE due IS NOT NULL;
    CREATE INDEX wakes_claimed ON "cogency".wakes (user_key) WHERE claim_token IS NOT NULL;
    CREATE INDEX wakes_parked ON "cogency".wakes (scope, parked_at) WHERE parked IS NOT NULL;

    CREATE TABLE "cogency".slots (
      id uuid PRIMARY KEY,
      name_key bytea NOT NULL,
      owner text NOT NULL,
      ends double precision NOT NULL
    );
    CREATE INDEX slots_name ON "cogency".slots (name_key);

    CREATE TABLE "cogency".holders (
      id integer PRIMARY KEY
    );
  END IF;
  IF present < 3 THEN
    NULL;
  END IF;
  IF present < 4 THEN
    CREATE TABLE "cogency".live_key (
      key bytea NOT NULL
    );
    INSERT INTO "cogency".live_key (key)
      SELECT sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8'));
  END IF;
  DELETE FROM "cogency".cogency_version;
  INSERT INTO "cogency".cogency_version (version) VALUES (4);
END $body$;

-- p_types and p_events have one value per line: JSON text contains no line break.
-- Returns the outcome: 'stored' with the last number, 'conflict' with the actual one, 'held' with owner and end, 'lost',
-- or 'absent' with the place in p_takes of a message that is not in the inbox.
CREATE OR REPLACE FUNCTION "cogency".append_batch(
  p_key bytea, p_user_name text, p_name text, p_types text, p_events text,
  p_title text, p_created_at double precision, p_updated_at double precision, p_expected double precision,
  p_token double precision, p_batch bytea, p_attempt uuid, p_is_retry boolean,
  p_takes bytea[], p_scope bytea,
  OUT outcome text, OUT result bigint, OUT owner text, OUT ends double precision
) LANGUAGE plpgsql AS $body$
DECLARE
  log "cogency".conversations;
  texts text[] := string_to_array(p_events, E'\n');
  added bigint := cardinality(texts);
  is_held boolean;
  due_at double precision;
BEGIN
  outcome := 'stored';
  LOOP
    SELECT * INTO log FROM "cogency".conversations c WHERE c.key = p_key FOR NO KEY UPDATE;
    EXIT WHEN FOUND;
    result := 0;
    IF p_token IS NOT NULL THEN
      outcome := 'lost';
      RETURN;
    ELSIF p_expected <> 0 THEN
      outcome := 'conflict';
      RETURN;
    ELSIF added = 0 THEN
      RETURN;
    ELSIF p_takes IS NOT NULL THEN
      outcome := 'absent';
      result := 1;
      RETURN;
    END IF;
    INSERT INTO "cogency".conversations (key, user_key, user_name, name)
      VALUES (p_key, sha256(convert_to(p_user_name, 'UTF8')), p_user_name, p_name)
      ON CONFLICT (key) DO NOTHING RETURNING * INTO log;
    EXIT WHEN FOUND;
  END LOOP;

  IF p_batch IS NOT NULL THEN
    SELECT e.seq INTO result FROM "cogency".events e WHERE e.conversation = log.id AND e.batch = p_batch;
    IF FOUND THEN RETURN; END IF;
  ELSIF p_is_retry OR p_attempt = ANY (log.retried) THEN
    SELECT e.seq INTO result FROM "cogency".events e WHERE e.conversation = log.id AND e.attempt = p_attempt;
    IF FOUND THEN RETURN; END IF;
    UPDATE "cogency".conversations c
      SET retried = (p_attempt || coalesce(c.retried, '{}'))[1:100] WHERE c.id = log.id;
  END IF;

  IF log.lease_token IS NOT NULL OR p_token IS NOT NULL THEN
    is_held := coalesce(log.lease_ends > date_part('epoch', clock_timestamp()) * 1000, false);
    IF p_token IS NOT NULL AND NOT (is_held AND log.lease_token = p_token) THEN
      outcome := 'lost';
      RETURN;
    ELSIF p_token IS NULL AND is_held THEN
      outcome := 'held';
      owner := log.lease_owner;
      ends := log.lease_ends;
      RETURN;
    END IF;
  END IF;

  result := log.events;
  IF p_expected <> log.events THEN
    outcome := 'conflict';
    RETURN;
  ELSIF added = 0 THEN
    RETURN;
  END IF;

  IF p_takes IS NOT NULL THEN
    SELECT n INTO result FROM unnest(p_takes) WITH ORDINALITY AS u (id_key, n)
      WHERE u.id_key = ANY (p_takes[:n - 1]) OR NOT EXISTS (SELECT FROM "cogency".inbox i WHERE i.conversation = log.id
        AND i.id_key = u.id_key AND i.message IS NOT NULL
        AND (i.at = i.posted_at OR i.at <= date_part('epoch', clock_timestamp()) * 1000))
      ORDER BY n LIMIT 1;
    IF FOUND THEN
      outcome := 'absent';
      RETURN;
    END IF;
    -- A claim locks in this order, too.
    SELECT w.inbox_at INTO due_at FROM "cogency".wakes w WHERE w.conversation = log.id FOR UPDATE;
    UPDATE "cogency".inbox i SET id = NULL, message = NULL WHERE i.conversation = log.id AND i.id_key = ANY (p_takes);
    IF due_at IS NOT NULL THEN
      UPDATE "cogency".wakes w SET inbox_at = (SELECT min(i.at) FROM "cogency".inbox i
        WHERE i.conversation = log.id AND i.message IS NOT NULL AND NOT i.is_seen) WHERE w.conversation = log.id;
      DELETE FROM "cogency".wakes w WHERE w.conversation = log.id AND w.due IS NULL AND w.parked IS NULL;
    END IF;
  END IF;
  IF log.scope IS NULL THEN
    UPDATE "cogency".wakes w SET scope = p_scope WHERE w.conversation = log.id;
  END IF;

  result := log.events + added;
  UPDATE "cogency".conversations c SET
    events = c.events + added,
    title = CASE WHEN starts_with(p_title, E'\n') THEN substr(p_title, 2) WHEN c.title = '' THEN p_title ELSE c.title END,
    created_at = CASE WHEN c.events = 0 THEN p_created_at ELSE c.created_at END,
    updated_at = p_updated_at,
    is_unindexed = true,
    position = CASE WHEN c.position IS NOT NULL AND NOT EXISTS (
        SELECT FROM "cogency".conversations o WHERE o.user_key = c.user_key AND o.position > c.position
      ) THEN c.position ELSE nextval(E'"cogency".positions') END,
    scope = coalesce(c.scope, p_scope)
    WHERE c.id = log.id;
  INSERT INTO "cogency".events (conversation, seq, type, event, batch, attempt)
    SELECT log.id, log.events + n, type, event,
      CASE WHEN n = added THEN p_batch END, CASE WHEN n = added THEN p_attempt END
    FROM unnest(string_to_array(p_types, E'\n'), texts) WITH ORDINALITY AS u (type, event, n);
END $body$;

-- Deletes a conversation with everything that belongs to it. Returns whether it was written.
CREATE OR REPLACE FUNCTION "cogency".delete_conversation(p_id bigint, OUT had_events boolean) LANGUAGE plpgsql AS $body$
BEGIN
  DELETE FROM "cogency".conversations c WHERE c.id = p_id RETURNING c.events > 0 OR c.scope IS NOT NULL INTO had_events;
  DELETE FROM "cogency".events e WHERE e.conversation = p_id;
  DELETE FROM "cogency".passages p WHERE p.conversation = p_id;
  DELETE FROM "cogency".wakes w WHERE w.conversation = p_id;
  DELETE FROM "cogency".timers t WHERE t.conversation = p_id;
  DELETE FROM "cogency".inbox i WHERE i.conversation = p_id;
END $body$;

-- Grants a lease, whose end makes the conversation due unless it is released. Without a token another owner holds it, and
-- the function returns that owner and the end.
CREATE OR REPLACE FUNCTION "cogency".grant_lease(
  p_key bytea, p_user_name text, p_name text, p_owner text, p_ttl double precision, p_holder integer,
  OUT token bigint, OUT owner text, OUT ends double precision
) LANGUAGE plpgsql AS $body$
DECLARE
  log "cogency".conversations;
  now_ms double precision;
BEGIN
  LOOP
    SELECT * INTO log FROM "cogency".conversations c WHERE c.key = p_key FOR NO KEY UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO "cogency".conversations (key, user_key, user_name, name)
      VALUES (p_key, sha256(convert_to(p_user_name, 'UTF8')), p_user_name, p_name)
      ON CONFLICT (key) DO NOTHING RETURNING * INTO log;
    EXIT WHEN FOUND;
  END LOOP;
  now_ms := date_part('epoch', clock_timestamp()) * 1000;
  IF log.lease_owner <> p_owner AND log.lease_ends > now_ms THEN
    owner := log.lease_owner;
    ends := log.lease_ends;
    RETURN;
  END IF;
  token := nextval(E'"cogency".lease_tokens');
  owner := p_owner;
  ends := now_ms + p_ttl;
  UPDATE "cogency".conversations c SET lease_owner = owner, lease_token = token, lease_ends = ends WHERE c.id = log.id;
  INSERT INTO "cogency".wakes AS w (conversation, user_key, scope, lease_at, lease_holder)
    VALUES (log.id, log.user_key, log.scope, ends, p_holder)
    ON CONFLICT (conversation) DO UPDATE SET lease_at = excluded.lease_at, lease_holder = excluded.lease_holder;
END $body$;

-- Ends a lease, and the defer of its conversation; returns whether that was deferred. After the time of the lease its
-- conversation stays due.
CREATE OR REPLACE FUNCTION "cogency".end_lease(p_key bytea, p_token bigint, OUT was_deferred boolean) LANGUAGE plpgsql AS $body$
DECLARE
  log "cogency".conversations;
  now_ms double precision;
BEGIN
  was_deferred := false;
  SELECT * INTO log FROM "cogency".conversations c WHERE c.key = p_key AND c.lease_token = p_token FOR NO KEY UPDATE;
  now_ms := date_part('epoch', clock_timestamp()) * 1000;
  IF log.events = 0 AND log.scope IS NULL THEN
    DELETE FROM "cogency".wakes w WHERE w.conversation = log.id;
    DELETE FROM "cogency".conversations c WHERE c.id = log.id;
  ELSIF log.lease_ends > now_ms THEN
    UPDATE "cogency".conversations c SET lease_owner = NULL, lease_token = NULL, lease_ends = NULL WHERE c.id = log.id;
    DELETE FROM "cogency".wakes w WHERE w.conversation = log.id AND w.claim_token IS NULL AND w.parked IS NULL
      AND coalesce(w.inbox_at, w.timer_at, w.held_at) IS NULL;
    IF NOT FOUND THEN
      UPDATE "cogency".wakes w SET lease_at = NULL, lease_holder = NULL,
        held_at = CASE WHEN w.held_at IS NOT NULL THEN least(w.held_at, now_ms) END
        WHERE w.conversation = log.id RETURNING w.held_at IS NOT NULL INTO was_deferred;
    END IF;
  END IF;
END $body$;

-- Returns the new version, or the actual one of a conflict. Keeps the last attempts: a repeated one saves nothing.
CREATE OR REPLACE FUNCTION "cogency".save_profile(
  p_user_key bytea, p_user_name text, p_profile text, p_expected double precision, p_attempt uuid,
  OUT is_saved boolean, OUT result bigint
) LANGUAGE plpgsql AS $body$
DECLARE
  saved "cogency".profiles;
  place integer;
BEGIN
  LOOP
    SELECT * INTO saved FROM "cogency".profiles p WHERE p.user_key = p_user_key FOR NO KEY UPDATE;
    EXIT WHEN FOUND;
    is_saved := coalesce(p_expected = 0, true);
    result := 0;
    IF NOT is_saved THEN RETURN; END IF;
    INSERT INTO "cogency".profiles (user_key, user_name, profile, version, attempts)
      VALUES (p_user_key, p_user_name, p_profile, 1, ARRAY[p_attempt])
      ON CONFLICT (user_key) DO NOTHING RETURNING version INTO result;
    IF FOUND THEN RETURN; END IF;
  END LOOP;
  place := array_position(saved.attempts, p_attempt);
  is_saved := place IS NOT NULL OR coalesce(p_expected = saved.version, true);
  result := saved.version - coalesce(place - 1, 0);
  IF place IS NOT NULL OR NOT is_saved THEN RETURN; END IF;
  result := saved.version + 1;
  UPDATE "cogency".profiles p
    SET profile = p_profile, version = result, attempts = (p_attempt || saved.attempts)[1:100] WHERE p.id = saved.id;
END $body$;

-- Finds or creates a conversation, fixes its scope, and keeps it from being deleted until the end of the transaction.
CREATE OR REPLACE FUNCTION "cogency".conversation_of(
  p_key bytea, p_user_name text, p_name text, p_scope bytea, OUT id bigint, OUT user_key bytea, OUT scope bytea
) LANGUAGE plpgsql AS $body$
BEGIN
  LOOP
    SELECT c.id, c.user_key, c.scope INTO id, user_key, scope FROM "cogency".conversations c WHERE c.key = p_key FOR KEY SHARE;
    EXIT WHEN FOUND;
    INSERT INTO "cogency".conversations AS c (key, user_key, user_name, name, scope)
      VALUES (p_key, sha256(convert_to(p_user_name, 'UTF8')), p_user_name, p_name, p_scope)
      ON CONFLICT (key) DO NOTHING RETURNING c.id, c.user_key, c.scope INTO id, user_key, scope;
    EXIT WHEN FOUND;
  END LOOP;
  IF scope IS NULL THEN
    UPDATE "cogency".conversations c SET scope = coalesce(c.scope, p_scope) WHERE c.key = p_key RETURNING c.scope INTO scope;
    UPDATE "cogency".wakes w SET scope = conversation_of.scope WHERE w.conversation = conversation_of.id;
  END IF;
END $body$;

-- Puts a message into an inbox. Returns 'posted', 'known' for one that was posted before, or 'used' for the id of another.
CREATE OR REPLACE FUNCTION "cogency".post(
  p_key bytea, p_user_name text, p_name text, p_scope bytea, p_id_key bytea, p_id text, p_message text, p_hash bytea,
  p_at double precision, OUT outcome text
) LANGUAGE plpgsql AS $body$
DECLARE
  log record;
  now_ms double precision;
  due_at double precision;
  known bytea;
BEGIN
  log := "cogency".conversation_of(p_key, p_user_name, p_name, p_scope);
  now_ms := date_part('epoch', clock_timestamp()) * 1000;
  due_at := greatest(now_ms, p_at);
  INSERT INTO "cogency".inbox (conversation, id_key, hash, id, message, posted_at, at)
    VALUES (log.id, p_id_key, p_hash, p_id, p_message, now_ms, due_at)
    ON CONFLICT (conversation, id_key) DO NOTHING;
  IF NOT FOUND THEN
    SELECT hash INTO known FROM "cogency".inbox i WHERE i.conversation = log.id AND i.id_key = p_id_key;
    outcome := CASE WHEN known = p_hash THEN 'known' ELSE 'used' END;
    RETURN;
  END IF;
  INSERT INTO "cogency".wakes AS w (conversation, user_key, scope, inbox_at)
    VALUES (log.id, log.user_key, log.scope, due_at)
    ON CONFLICT (conversation) DO UPDATE SET inbox_at = least(w.inbox_at, excluded.inbox_at);
  outcome := 'posted';
END $body$;

-- Sets a timer. The row of the conversation in wakes is locked first, so timer_at is that of the earliest timer.
CREATE OR REPLACE FUNCTION "cogency".wake(
  p_key bytea, p_user_name text, p_name text, p_scope bytea, p_id_key bytea, p_reason text, p_at double precision
) RETURNS void LANGUAGE plpgsql AS $body$
DECLARE
  log record;
BEGIN
  log := "cogency".conversation_of(p_key, p_user_name, p_name, p_scope);
  INSERT INTO "cogency".wakes AS w (conversation, user_key, scope) VALUES (log.id, log.user_key, log.scope)
    ON CONFLICT (conversation) DO UPDATE SET scope = w.scope;
  INSERT INTO "cogency".timers (conversation, id_key, reason, at) VALUES (log.id, p_id_key, p_reason, p_at)
    ON CONFLICT (conversation, id_key) DO UPDATE SET at = excluded.at;
  UPDATE "cogency".wakes w SET timer_at = (SELECT min(t.at) FROM "cogency".timers t WHERE t.conversation = log.id)
    WHERE w.conversation = log.id;
END $body$;

-- Claims conversations: those of a user in the order in which they became due, users in turn. Looks at the 1000 that
-- are due for the longest time. If there are more, also at the first 10 of each of 100 users, others with each call.
CREATE OR REPLACE FUNCTION "cogency".claim(
  p_scope bytea, p_owner text, p_limit double precision, p_ttl double precision, p_per_user double precision,
  p_holder integer,
  OUT user_name text, OUT name text, OUT token bigint, OUT reasons text, OUT attempts integer,
  OUT claimed_at double precision, OUT ends double precision
) RETURNS SETOF record LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $body$
DECLARE
  claimed bigint := 0;
  before bigint;
  is_complete boolean;
  is_due boolean;
  next_one bigint;
  user_start bytea;
  lease_end double precision;
  w "cogency".wakes;
BEGIN
  -- Otherwise two claims at once could exceed the number together.
  IF p_per_user IS NOT NULL THEN
    PERFORM pg_advisory_xact_lock(hashtextextended(E'cogency claims cogency', 0));
  END IF;
  claimed_at := date_part('epoch', clock_timestamp()) * 1000;
  user_start := sha256(convert_to(random()::text, 'UTF8'));
  LOOP
    is_complete := true;
    before := claimed;
    FOR next_one IN
      WITH RECURSIVE oldest AS MATERIALIZED (
        SELECT x.conversation, x.user_key, x.due FROM "cogency".wakes x
        WHERE x.scope = p_scope AND x.due <= claimed_at ORDER BY x.due LIMIT 1000
      ), some_users AS (
        -- If that is not all: users in the order of their hashes, from a random one on.
        SELECT 0 AS place, user_start AS user_key WHERE (SELECT count(*) FROM oldest) = 1000
        UNION ALL
        SELECT u.place + 1, coalesce(
          (SELECT x.user_key FROM "cogency".wakes x WHERE x.scope = p_scope AND x.user_key > u.user_key
            AND x.due <= claimed_at ORDER BY x.user_key LIMIT 1),
          (SELECT x.user_key FROM "cogency".wakes x WHERE x.scope = p_scope
            AND x.due <= claimed_at ORDER BY x.user_key LIMIT 1))
        FROM some_users u WHERE u.place < 100
      ), candidates AS (
        SELECT o.conversation, o.user_key, o.due FROM oldest o
        UNION
        SELECT x.conversation, x.user_key, x.due FROM (SELECT DISTINCT u.user_key FROM some_users u) u, LATERAL (
          SELECT y.conversation, y.user_key, y.due FROM "cogency".wakes y
          WHERE y.scope = p_scope AND y.user_key = u.user_key AND y.due <= claimed_at ORDER BY y.due LIMIT 10
        ) x
      ), claims AS (
        SELECT x.user_key, count(*) AS claims FROM "cogency".wakes x
        WHERE x.claim_token IS NOT NULL AND x.claim_ends > claimed_at GROUP BY x.user_key
      ), turns AS (
        SELECT c.conversation, c.due,
          row_number() OVER (PARTITION BY c.user_key ORDER BY c.due, c.conversation) + coalesce(u.claims, 0) AS turn
        FROM candidates c LEFT JOIN claims u ON u.user_key = c.user_key
      )
      SELECT t.conversation FROM turns t WHERE p_per_user IS NULL OR t.turn <= p_per_user
      ORDER BY t.turn, t.due, t.conversation
    LOOP
      EXIT WHEN claimed >= p_limit;
      SELECT * INTO w FROM "cogency".wakes x WHERE x.conversation = next_one AND x.due <= claimed_at FOR UPDATE SKIP LOCKED;
      CONTINUE WHEN NOT FOUND;
      is_due := w.held_at <= claimed_at OR w.claim_token IS NOT NULL;
      IF w.lease_at <= claimed_at THEN
        SELECT c.lease_ends INTO lease_end FROM "cogency".conversations c WHERE c.id = next_one;
        w.lease_at := CASE WHEN lease_end > claimed_at THEN lease_end END;
        IF w.lease_at IS NULL THEN
          w.held := array_remove(w.held, '"lease"') || '"lease"'::text;
          is_due := true;
        END IF;
      END IF;
      IF w.inbox_at <= claimed_at THEN
        w.held := array_remove(w.held, '"inbox"') || '"inbox"'::text;
        is_due := true;
        UPDATE "cogency".inbox i SET is_seen = true
          WHERE i.conversation = next_one AND i.message IS NOT NULL AND NOT i.is_seen
            AND (i.at = i.posted_at OR i.at <= claimed_at);
        w.inbox_at := (SELECT min(i.at) FROM "cogency".inbox i
          WHERE i.conversation = next_one AND i.message IS NOT NULL AND NOT i.is_seen);
      END IF;
      IF w.timer_at <= claimed_at THEN
        WITH ended AS (
          DELETE FROM "cogency".timers t WHERE t.conversation = next_one AND t.at <= claimed_at RETURNING t.reason
        )
        SELECT array_agg(r.reason) INTO w.held FROM (SELECT unnest(w.held) AS reason UNION SELECT e.reason FROM ended e) r;
        is_due := true;
        w.timer_at := (SELECT min(t.at) FROM "cogency".timers t WHERE t.conversation = next_one);
      END IF;

      IF is_due IS NOT TRUE THEN
        -- The lease was renewed.
        is_complete := false;
        UPDATE "cogency".wakes x SET lease_at = w.lease_at WHERE x.conversation = next_one;
        CONTINUE;
      END IF;
      claimed := claimed + 1;
      token := nextval(E'"cogency".claim_tokens');
      attempts := w.attempts + 1;
      ends := claimed_at + p_ttl;
      reasons := array_to_string(w.held, E'\n');
      UPDATE "cogency".wakes x SET inbox_at = w.inbox_at, lease_at = w.lease_at, timer_at = w.timer_at, held = w.held,
        held_at = NULL, attempts = claim.attempts, claim_token = token, claim_owner = p_owner,
        claim_holder = p_holder, claim_ends = ends
        WHERE x.conversation = next_one;
      SELECT c.user_name, c.name INTO user_name, name FROM "cogency".conversations c WHERE c.id = next_one;
      RETURN NEXT;
    END LOOP;
    EXIT WHEN claimed >= p_limit OR is_complete AND claimed - before < 1000;
  END LOOP;
END $body$;

-- Ends a claim: 'done', 'defer' to p_at, or 'park' for p_reason. Returns whether the claim stood.
CREATE OR REPLACE FUNCTION "cogency".settle_claim(
  p_key bytea, p_token bigint, p_ending text, p_at double precision, p_reason text, p_is_retry boolean, OUT stood boolean
) LANGUAGE plpgsql AS $body$
DECLARE
  w "cogency".wakes;
  now_ms double precision;
BEGIN
  SELECT * INTO w FROM "cogency".wakes x
    WHERE x.conversation = (SELECT c.id FROM "cogency".conversations c WHERE c.key = p_key) FOR UPDATE;
  now_ms := date_part('epoch', clock_timestamp()) * 1000;
  IF w.claim_token IS DISTINCT FROM p_token OR w.claim_ends <= now_ms THEN
    -- Nobody has claimed the conversation since, so an earlier attempt has ended the claim.
    stood := p_is_retry AND w.claim_token IS NULL;
    RETURN;
  END IF;
  stood := true;
  IF p_ending = 'done' THEN
    w.inbox_at := (SELECT min(i.at) FROM "cogency".inbox i
      WHERE i.conversation = w.conversation AND i.message IS NOT NULL AND NOT i.is_seen);
    IF coalesce(w.inbox_at, w.lease_at, w.timer_at) IS NULL THEN
      DELETE FROM "cogency".wakes x WHERE x.conversation = w.conversation;
      RETURN;
    END IF;
    w.held := '{}';
  END IF;
  UPDATE "cogency".wakes x SET claim_token = NULL, claim_owner = NULL, claim_holder = NULL, claim_ends = NULL,
    inbox_at = w.inbox_at, held = w.held,
    held_at = CASE p_ending WHEN 'defer' THEN p_at END,
    attempts = CASE p_ending WHEN 'done' THEN 0 WHEN 'defer' THEN x.attempts - 1 ELSE x.attempts END,
    parked = p_reason, parked_at = CASE p_ending WHEN 'park' THEN now_ms END
    WHERE x.conversation = w.conversation;
END $body$;

-- Returns when the next conversation of a scope can be claimed, and the same for those after p_after. Moves lease_at of
-- leases that were renewed, up to p_until.
CREATE OR REPLACE FUNCTION "cogency".next_wake(
  p_scope bytea, p_after double precision, p_until double precision, OUT due double precision
) LANGUAGE plpgsql AS $body$
DECLARE
  w "cogency".wakes;
  lease_end double precision;
BEGIN
  LOOP
    SELECT * INTO w FROM "cogency".wakes x WHERE x.scope = p_scope AND x.due > p_after ORDER BY x.due LIMIT 1;
    due := w.due;
    EXIT WHEN due IS NULL OR due > p_until OR w.claim_token IS NOT NULL OR w.lease_at IS DISTINCT FROM due;
    SELECT c.lease_ends INTO lease_end FROM "cogency".conversations c WHERE c.id = w.conversation;
    EXIT WHEN lease_end IS NULL OR lease_end <= due;
    UPDATE "cogency".wakes x SET lease_at = lease_end WHERE x.conversation = w.conversation AND x.lease_at = w.lease_at;
  END LOOP;
END $body$;

-- Takes a place and returns when it ends; NULL if all are taken. A repeated p_id is the same place.
CREATE OR REPLACE FUNCTION "cogency".take_slot(
  p_id uuid, p_name_key bytea, p_owner text, p_limit double precision, p_ttl double precision, OUT ends double precision
) LANGUAGE plpgsql AS $body$
DECLARE
  now_ms double precision;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(E'cogency slot cogency ' || encode(p_name_key, 'hex'), 0));
  -- Waits for renewals.
  PERFORM FROM "cogency".slots s WHERE s.name_key = p_name_key FOR UPDATE;
  now_ms := date_part('epoch', clock_timestamp()) * 1000;
  DELETE FROM "cogency".slots s WHERE s.id IN (
    SELECT o.id FROM "cogency".slots o WHERE o.ends <= now_ms LIMIT 100 FOR UPDATE SKIP LOCKED
  );
  SELECT s.ends INTO ends FROM "cogency".slots s WHERE s.id = p_id;
  IF FOUND OR (SELECT count(*) FROM "cogency".slots s WHERE s.name_key = p_name_key AND s.ends > now_ms) >= p_limit THEN
    RETURN;
  END IF;
  ends := now_ms + p_ttl;
  INSERT INTO "cogency".slots (id, name_key, owner, ends) VALUES (p_id, p_name_key, p_owner, ends);
END $body$;

-- Takes the lock of a new holder until the connection ends. If its machine vanishes, that is after 11 seconds.
CREATE OR REPLACE FUNCTION "cogency".start_holder(OUT id integer, OUT now_ms double precision) LANGUAGE plpgsql AS $body$
BEGIN
  PERFORM set_config('tcp_keepalives_idle', '5', false), set_config('tcp_keepalives_interval', '2', false),
    set_config('tcp_keepalives_count', '3', false);
  id := nextval(E'"cogency".holder_ids');
  PERFORM pg_advisory_lock(hashtext(E'cogency holder cogency'), id);
  INSERT INTO "cogency".holders (id) VALUES (start_holder.id);
  now_ms := date_part('epoch', clock_timestamp()) * 1000;
END $body$;

-- Ends the leases and claims of one holder whose lock is gone, and returns how many holders that were. Ends none within
-- p_grace milliseconds after the start of the server, or after p_since.
CREATE OR REPLACE FUNCTION "cogency".end_holder(
  p_own integer, p_since double precision, p_grace double precision, OUT gone integer
) LANGUAGE plpgsql AS $body$
DECLARE
  holder integer;
  log_id bigint;
  now_ms double precision := date_part('epoch', clock_timestamp()) * 1000;
BEGIN
  gone := 0;
  IF now_ms < greatest(p_since, date_part('epoch', pg_postmaster_start_time()) * 1000) + p_grace THEN RETURN; END IF;
  FOR holder IN SELECT h.id FROM "cogency".holders h WHERE h.id <> p_own LOOP
    CONTINUE WHEN NOT pg_try_advisory_xact_lock_shared(hashtext(E'cogency holder cogency'), holder);
    FOR log_id IN SELECT w.conversation FROM "cogency".wakes w WHERE w.lease_holder = holder ORDER BY w.conversation LOOP
      PERFORM FROM "cogency".conversations c WHERE c.id = log_id FOR NO KEY UPDATE;
      UPDATE "cogency".wakes w SET lease_at = least(w.lease_at, now_ms), lease_holder = NULL
        WHERE w.conversation = log_id AND w.lease_holder = holder;
      IF FOUND THEN
        UPDATE "cogency".conversations c SET lease_ends = least(c.lease_ends, now_ms) WHERE c.id = log_id;
      END IF;
    END LOOP;
    UPDATE "cogency".wakes w SET claim_ends = least(w.claim_ends, now_ms), claim_holder = NULL WHERE w.claim_holder = holder;
    DELETE FROM "cogency".holders h WHERE h.id = holder;
    gone := 1;
    -- Rows of conversations are locked before those of wakes, so no more than one at a time.
    RETURN;
  END LOOP;
END $body$;

-- For programs of version 1.
CREATE OR REPLACE FUNCTION "cogency".append(
  p_key bytea, p_user_name text, p_name text, p_types text, p_events text,
  p_title text, p_created_at double precision, p_updated_at double precision, p_expected double precision,
  p_token double precision, p_batch bytea, p_attempt uuid, p_is_retry boolean,
  OUT outcome text, OUT result bigint, OUT owner text, OUT ends double precision
) LANGUAGE plpgsql AS $body$
BEGIN
  SELECT * INTO outcome, result, owner, ends FROM "cogency".append_batch(p_key, p_user_name, p_name, p_types, p_events,
    p_title, p_created_at, p_updated_at, p_expected, p_token, p_batch, p_attempt, p_is_retry, NULL, NULL);
END $body$;

CREATE OR REPLACE FUNCTION "cogency".lease(
  p_key bytea, p_user_name text, p_name text, p_owner text, p_ttl double precision,
  OUT token bigint, OUT owner text, OUT ends double precision
) LANGUAGE plpgsql AS $body$
BEGIN
  SELECT * INTO token, owner, ends FROM "cogency".grant_lease(p_key, p_user_name, p_name, p_owner, p_ttl, NULL);
END $body$;

CREATE OR REPLACE FUNCTION "cogency".release_lease(p_key bytea, p_token bigint) RETURNS void LANGUAGE plpgsql AS $body$
BEGIN
  PERFORM "cogency".end_lease(p_key, p_token);
END $body$;

GRANT USAGE ON SCHEMA "cogency" TO "app";
GRANT SELECT ON "cogency".cogency_version, "cogency".live_key TO "app";
GRANT SELECT, INSERT, UPDATE, DELETE ON "cogency".conversations, "cogency".events, "cogency".passages, "cogency".profiles,
  "cogency".inbox, "cogency".timers, "cogency".wakes, "cogency".slots, "cogency".holders TO "app";
GRANT USAGE ON ALL SEQUENCES IN SCHEMA "cogency" TO "app";
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA "cogency" TO "app";

COMMIT;

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

CREATE SCHEMA cogency;

CREATE FUNCTION cogency.append(p_key bytea, p_user_name text, p_name text, p_types text, p_events text, p_title text, p_created_at double precision, p_updated_at double precision, p_expected double precision, p_token double precision, p_batch bytea, p_attempt uuid, p_is_retry boolean, OUT outcome text, OUT result bigint, OUT owner text, OUT ends double precision) RETURNS record
    LANGUAGE plpgsql
    AS $$
BEGIN
  SELECT * INTO outcome, result, owner, ends FROM "cogency".append_batch(p_key, p_user_name, p_name, p_types, p_events,
    p_title, p_created_at, p_updated_at, p_expected, p_token, p_batch, p_attempt, p_is_retry, NULL, NULL);
END $$;

CREATE FUNCTION cogency.append_batch(p_key bytea, p_user_name text, p_name text, p_types text, p_events text, p_title text, p_created_at double precision, p_updated_at double precision, p_expected double precision, p_token double precision, p_batch bytea, p_attempt uuid, p_is_retry boolean, p_takes bytea[], p_scope bytea, OUT outcome text, OUT result bigint, OUT owner text, OUT ends double precision) RETURNS record
    LANGUAGE plpgsql
    AS $$
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
END $$;

CREATE FUNCTION cogency.claim(p_scope bytea, p_owner text, p_limit double precision, p_ttl double precision, p_per_user double precision, p_holder integer, OUT user_name text, OUT name text, OUT token bigint, OUT reasons text, OUT attempts integer, OUT claimed_at double precision, OUT ends double precision) RETURNS SETOF record
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
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
END $$;

CREATE FUNCTION cogency.conversation_of(p_key bytea, p_user_name text, p_name text, p_scope bytea, OUT id bigint, OUT user_key bytea, OUT scope bytea) RETURNS record
    LANGUAGE plpgsql
    AS $$
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
END $$;

CREATE FUNCTION cogency.delete_conversation(p_id bigint, OUT had_events boolean) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
BEGIN
  DELETE FROM "cogency".conversations c WHERE c.id = p_id RETURNING c.events > 0 OR c.scope IS NOT NULL INTO had_events;
  DELETE FROM "cogency".events e WHERE e.conversation = p_id;
  DELETE FROM "cogency".passages p WHERE p.conversation = p_id;
  DELETE FROM "cogency".wakes w WHERE w.conversation = p_id;
  DELETE FROM "cogency".timers t WHERE t.conversation = p_id;
  DELETE FROM "cogency".inbox i WHERE i.conversation = p_id;
END $$;

CREATE FUNCTION cogency.end_holder(p_own integer, p_since double precision, p_grace double precision, OUT gone integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
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
END $$;

CREATE FUNCTION cogency.end_lease(p_key bytea, p_token bigint, OUT was_deferred boolean) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
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
END $$;

CREATE FUNCTION cogency.grant_lease(p_key bytea, p_user_name text, p_name text, p_owner text, p_ttl double precision, p_holder integer, OUT token bigint, OUT owner text, OUT ends double precision) RETURNS record
    LANGUAGE plpgsql
    AS $$
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
END $$;

CREATE FUNCTION cogency.lease(p_key bytea, p_user_name text, p_name text, p_owner text, p_ttl double precision, OUT token bigint, OUT owner text, OUT ends double precision) RETURNS record
    LANGUAGE plpgsql
    AS $$
BEGIN
  SELECT * INTO token, owner, ends FROM "cogency".grant_lease(p_key, p_user_name, p_name, p_owner, p_ttl, NULL);
END $$;

CREATE FUNCTION cogency.next_wake(p_scope bytea, p_after double precision, p_until double precision, OUT due double precision) RETURNS double precision
    LANGUAGE plpgsql
    AS $$
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
END $$;

CREATE FUNCTION cogency.post(p_key bytea, p_user_name text, p_name text, p_scope bytea, p_id_key bytea, p_id text, p_message text, p_hash bytea, p_at double precision, OUT outcome text) RETURNS text
    LANGUAGE plpgsql
    AS $$
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
END $$;

CREATE FUNCTION cogency.release_lease(p_key bytea, p_token bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM "cogency".end_lease(p_key, p_token);
END $$;

CREATE FUNCTION cogency.save_profile(p_user_key bytea, p_user_name text, p_profile text, p_expected double precision, p_attempt uuid, OUT is_saved boolean, OUT result bigint) RETURNS record
    LANGUAGE plpgsql
    AS $$
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
END $$;

CREATE FUNCTION cogency.settle_claim(p_key bytea, p_token bigint, p_ending text, p_at double precision, p_reason text, p_is_retry boolean, OUT stood boolean) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
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
END $$;

CREATE FUNCTION cogency.start_holder(OUT id integer, OUT now_ms double precision) RETURNS record
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM set_config('tcp_keepalives_idle', '5', false), set_config('tcp_keepalives_interval', '2', false),
    set_config('tcp_keepalives_count', '3', false);
  id := nextval(E'"cogency".holder_ids');
  PERFORM pg_advisory_lock(hashtext(E'cogency holder cogency'), id);
  INSERT INTO "cogency".holders (id) VALUES (start_holder.id);
  now_ms := date_part('epoch', clock_timestamp()) * 1000;
END $$;

CREATE FUNCTION cogency.take_slot(p_id uuid, p_name_key bytea, p_owner text, p_limit double precision, p_ttl double precision, OUT ends double precision) RETURNS double precision
    LANGUAGE plpgsql
    AS $$
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
END $$;

CREATE FUNCTION cogency.wake(p_key bytea, p_user_name text, p_name text, p_scope bytea, p_id_key bytea, p_reason text, p_at double precision) RETURNS void
    LANGUAGE plpgsql
    AS $$
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
END $$;

CREATE SEQUENCE cogency.claim_tokens
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

SET default_tablespace = '';

SET default_table_access_method = heap;

CREATE TABLE cogency.cogency_version (
    version integer NOT NULL
);

CREATE TABLE cogency.conversations (
    id bigint NOT NULL,
    key bytea NOT NULL,
    user_key bytea NOT NULL,
    user_name text NOT NULL,
    name text NOT NULL,
    "position" bigint,
    title text DEFAULT ''::text NOT NULL,
    events bigint DEFAULT 0 NOT NULL,
    created_at double precision DEFAULT 0 NOT NULL,
    updated_at double precision DEFAULT 0 NOT NULL,
    indexed bigint DEFAULT 0 NOT NULL,
    is_unindexed boolean DEFAULT false NOT NULL,
    lease_owner text,
    lease_token bigint,
    lease_ends double precision,
    retried uuid[],
    scope bytea
)
WITH (fillfactor='70');

ALTER TABLE cogency.conversations ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME cogency.conversations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE cogency.events (
    conversation bigint NOT NULL,
    seq bigint NOT NULL,
    type text NOT NULL,
    event text NOT NULL,
    batch bytea,
    attempt uuid
);

CREATE SEQUENCE cogency.holder_ids
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
    CYCLE;

CREATE TABLE cogency.holders (
    id integer NOT NULL
);

CREATE TABLE cogency.inbox (
    conversation bigint NOT NULL,
    id_key bytea NOT NULL,
    hash bytea NOT NULL,
    seq bigint NOT NULL,
    id text,
    message text,
    posted_at double precision NOT NULL,
    at double precision NOT NULL,
    is_seen boolean DEFAULT false NOT NULL
)
WITH (fillfactor='70');

ALTER TABLE cogency.inbox ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME cogency.inbox_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE SEQUENCE cogency.lease_tokens
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE cogency.live_key (
    key bytea NOT NULL
);

CREATE TABLE cogency.passages (
    conversation bigint NOT NULL,
    seq bigint NOT NULL,
    part integer NOT NULL,
    is_returned boolean NOT NULL,
    words tsvector NOT NULL
);

CREATE SEQUENCE cogency.positions
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE cogency.profiles (
    id bigint NOT NULL,
    user_key bytea NOT NULL,
    user_name text NOT NULL,
    profile text NOT NULL,
    version bigint NOT NULL,
    attempts uuid[] NOT NULL
);

ALTER TABLE cogency.profiles ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME cogency.profiles_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE cogency.slots (
    id uuid NOT NULL,
    name_key bytea NOT NULL,
    owner text NOT NULL,
    ends double precision NOT NULL
);

CREATE TABLE cogency.timers (
    conversation bigint NOT NULL,
    id_key bytea NOT NULL,
    reason text NOT NULL,
    at double precision NOT NULL
);

CREATE TABLE cogency.wakes (
    conversation bigint NOT NULL,
    user_key bytea NOT NULL,
    scope bytea,
    inbox_at double precision,
    lease_at double precision,
    lease_holder integer,
    timer_at double precision,
    held text[] DEFAULT '{}'::text[] NOT NULL,
    held_at double precision,
    attempts integer DEFAULT 0 NOT NULL,
    claim_token bigint,
    claim_owner text,
    claim_holder integer,
    claim_ends double precision,
    parked text,
    parked_at double precision,
    due double precision GENERATED ALWAYS AS (
CASE
    WHEN (parked IS NOT NULL) THEN NULL::double precision
    WHEN (claim_token IS NOT NULL) THEN claim_ends
    ELSE LEAST(inbox_at, lease_at, timer_at, held_at)
END) STORED
)
WITH (fillfactor='70');

INSERT INTO cogency.cogency_version VALUES
	(4);

INSERT INTO cogency.conversations OVERRIDING SYSTEM VALUE VALUES
	(1, '\x18d3cc098554294519afc1e0affe5bf0606ea2349dbec7651f27040aa18862f6', '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', 'null', '""', 1, 'The quokka of log 0 sleeps.', 1, 0, 0, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(2, '\x5b5565cad11d0f351accf688094ceadb62f9c1a7c799e70327b7b2f93f867fdc', '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', 'null', '" "', 2, 'The quokka of log 1 sleeps.', 1, 1, 1, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(4, '\x20989ce7da88ff16aeddd59913f68589c0d5a0fb5db6f0779db9aebe082b9a66', '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', 'null', '"A"', 4, 'The quokka of log 3 sleeps.', 1, 3, 3, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(5, '\xc0996eee43fa2b46004f93983b9758d9aab22f28eeecadb431fd71944e4fa73a', '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', 'null', '"a "', 5, 'The quokka of log 4 sleeps.', 1, 4, 4, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(6, '\xf9f3336296a0d0a61715443d8fd6fe58fd3819631b659eadd517fda1aad8552f', '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', 'null', '"a/b"', 6, 'The quokka of log 5 sleeps.', 1, 5, 5, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(7, '\x7bcecaa802e0694762f28f7f534467c056a4c5af79e3bcfdc22c028a0cf1a921', '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', 'null', '"a\u0000b"', 7, 'The quokka of log 6 sleeps.', 1, 6, 6, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(8, '\xe5dbb38b514fe6340719bcb0aeb1c57d752d4d34cfe3c57e4cfe92c221108704', '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', 'null', '"a\u0000"', 8, 'The quokka of log 7 sleeps.', 1, 7, 7, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(9, '\x55b5717eaba92c07d8903f2e51d127900c75da97dd3e93c41d9efa978c57a73f', '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', 'null', '"\u0000"', 9, 'The quokka of log 8 sleeps.', 1, 8, 8, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(10, '\xad6fa5dab36fa6ae2fea45f760800401d7204df6f51bcf7394876a8b2c76ec02', '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', 'null', '"''; DROP TABLE events; --"', 10, 'The quokka of log 9 sleeps.', 1, 9, 9, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(11, '\xcf4883fed6f2d8d4e7be91b3395560f3d030dc03c7d5b7f0ca475a31476e5291', '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', 'null', '"\"a\""', 11, 'The quokka of log 10 sleeps.', 1, 10, 10, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(12, '\xe7152b7b3417d1dbf0768a8a513b9046c78748a51c377b8bc356ad8526aeb76d', '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', 'null', '"\\"', 12, 'The quokka of log 11 sleeps.', 1, 11, 11, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(13, '\x8c670d8f70a099ec92d7bd2b368e34d308baaebdba38ed29849bcbcfc22f7c20', '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', 'null', '"\\x61"', 13, 'The quokka of log 12 sleeps.', 1, 12, 12, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(14, '\x64129a3117c312a15a1c4eff71de71ffd2738d3beb0712dd5495c932a3bdf381', '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', 'null', '"%"', 14, 'The quokka of log 13 sleeps.', 1, 13, 13, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(3, '\x820f5d31439dfa0844e95493381dcf3d058028f211aa0106cef08e14d6d4cdb9', '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', 'null', '"a"', 118, 'The quokka of log 2 sleeps.', 2, 2, 5, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(15, '\x308c69b83d77fbf0a1c241f602e681678b2c178f42a3a94dbc05b9da97ee0530', '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', 'null', '"_"', 15, 'The quokka of log 14 sleeps.', 1, 14, 14, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(16, '\xe811ae0915606773d615db2e79f23cb41fe05b466f5301a9e4afbfa24dc0171d', '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', 'null', '"null"', 16, 'The quokka of log 15 sleeps.', 1, 15, 15, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(17, '\xa6d260c4e9b7b433a9faebc309678dc65a22f8f3ba5f9660ed6715d4dc5a1e57', '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', 'null', '"undefined"', 17, 'The quokka of log 16 sleeps.', 1, 16, 16, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(18, '\x9ea41847493824d44c04f3b39d6b9f82df6fd5bae39175d33505c3d0585b9c39', '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', 'null', '"0"', 18, 'The quokka of log 17 sleeps.', 1, 17, 17, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(19, '\xca0930874da1bfb0f03391254b902fb93a0f159d833efa99e0480f99fabdc805', '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', 'null', '"__proto__"', 19, 'The quokka of log 18 sleeps.', 1, 18, 18, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(20, '\x93e3d2bdd982cd310093c952524728a989c100c882d7c7b23f4b04aa77a9c6e5', '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', 'null', '"é"', 20, 'The quokka of log 19 sleeps.', 1, 19, 19, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(21, '\xa31c57df90fd72e6d6b98d186f46aa65346fae089d815bdd9d2cb0cab62f1876', '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', 'null', '"é"', 21, 'The quokka of log 20 sleeps.', 1, 20, 20, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(22, '\xb9030a947ccce2407c62fa499d18e965b82f90259197604ade210c42ffdcbe55', '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', 'null', '"👩‍👧"', 22, 'The quokka of log 21 sleeps.', 1, 21, 21, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(23, '\x2a28c61f541b329edc45f340ba0eafa443e9df9169a0dacb92a92bbdbc96a03d', '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', 'null', '"\ud83d"', 23, 'The quokka of log 22 sleeps.', 1, 22, 22, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(24, '\x306f78bf8b12e305427766f59c8efb4d21ecdddbd1a1e87e9c6a26c0edbdec0c', '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', 'null', '"\ude00"', 24, 'The quokka of log 23 sleeps.', 1, 23, 23, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(25, '\xb0905d39ee773bb3841da87f4b6614004018aa1dedfa356e4ac2ddc55b709181', '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', 'null', '"�"', 25, 'The quokka of log 24 sleeps.', 1, 24, 24, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(26, '\x7d0635e914ec6ec0f9dac6c174ea48b99821c5c6f517108ef291a752afc1cc98', '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', 'null', '"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"', 26, 'The quokka of log 25 sleeps.', 1, 25, 25, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(40, '\xc73daa8da9450669ab5b8608ae065e631dbde7313a224000fa42e5ea52b9b2c6', '\x12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126', '""', '"\\x61"', 40, 'The quokka of log 39 sleeps.', 1, 39, 39, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(27, '\x70fc3088bdc13a5c71864426281b088df37a123f4c9dd74256b95075e0f40042', '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', 'null', '"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxy"', 27, 'The quokka of log 26 sleeps.', 1, 26, 26, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(28, '\xd14a7bfdcecb083e92ea98ffd6ccd4660a6ec9c02b520d26d1bd75fc1927d49b', '\x12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126', '""', '""', 28, 'The quokka of log 27 sleeps.', 1, 27, 27, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(29, '\xa2d6cdd262ea306987520540570555c16f82f7cf7ad505d51a7ef37a9b460d7b', '\x12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126', '""', '" "', 29, 'The quokka of log 28 sleeps.', 1, 28, 28, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(30, '\x631c2881ff9cbd6ba19dc6393d07ecb1418aaaec829f209aee45bad18dfee779', '\x12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126', '""', '"a"', 30, 'The quokka of log 29 sleeps.', 1, 29, 29, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(31, '\x9d8f90cf0d19d8b641c512bb488fa6f5c9403cfe932a7062a14567a32e19e88f', '\x12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126', '""', '"A"', 31, 'The quokka of log 30 sleeps.', 1, 30, 30, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(32, '\xbc687fa1bb860a17d4e7b0b0455d0330cf1841498068ef106bb341024e9ea750', '\x12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126', '""', '"a "', 32, 'The quokka of log 31 sleeps.', 1, 31, 31, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(33, '\xf371504b8630e8d09c9237509c3a26829d71dc9eec18b15db120e995c2a0a256', '\x12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126', '""', '"a/b"', 33, 'The quokka of log 32 sleeps.', 1, 32, 32, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(34, '\xe40314355f89edaacea26c2640040e02aafdb3ee4860650844c3abe1288c507e', '\x12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126', '""', '"a\u0000b"', 34, 'The quokka of log 33 sleeps.', 1, 33, 33, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(35, '\xd3e7a9cbcfb131ea3c13c037385a5dcde58479cf0fc4cdaf7c889b99573ae771', '\x12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126', '""', '"a\u0000"', 35, 'The quokka of log 34 sleeps.', 1, 34, 34, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(36, '\xa7c05524070a3aff4fe9e1907f65bf74944ed0a496759e7ea472ceab87ee1c65', '\x12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126', '""', '"\u0000"', 36, 'The quokka of log 35 sleeps.', 1, 35, 35, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(37, '\x7926d2880d4fd27430c3f6535bb5296e6600b6f8cf082d07d45dd31f19023c26', '\x12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126', '""', '"''; DROP TABLE events; --"', 37, 'The quokka of log 36 sleeps.', 1, 36, 36, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(38, '\xdf92c2fa490c762519ecbc206ba3f37ca09ef3bec6e00f272db93af86992a8a7', '\x12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126', '""', '"\"a\""', 38, 'The quokka of log 37 sleeps.', 1, 37, 37, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(39, '\x047c61c6c865dd21d8ca7d520f2170d0a225ec22242e2254061f42fd6b39073e', '\x12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126', '""', '"\\"', 39, 'The quokka of log 38 sleeps.', 1, 38, 38, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(41, '\xc0294b574f57e3e817d9b5c5df2b52875d9e7fee0b88d6eb4909ece59add0f52', '\x12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126', '""', '"%"', 41, 'The quokka of log 40 sleeps.', 1, 40, 40, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(42, '\xdb71be4af41a2526765026f608be5bb9bf8ec509524a6a504d3d19136b67e813', '\x12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126', '""', '"_"', 42, 'The quokka of log 41 sleeps.', 1, 41, 41, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(43, '\x8f763bf50a14b2a0d8fa06e4305b3704b99f7eda4226e4d013e3ff30638cdac6', '\x12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126', '""', '"null"', 43, 'The quokka of log 42 sleeps.', 1, 42, 42, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(44, '\x10f3ba9639300d338183ea20d9664088d608a6551fa3977e6b68191a3f44ff4c', '\x12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126', '""', '"undefined"', 44, 'The quokka of log 43 sleeps.', 1, 43, 43, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(45, '\x5193cbed2bfdcad1629425c90b21023b8b62d7132308afa8098998ca1513c1d0', '\x12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126', '""', '"0"', 45, 'The quokka of log 44 sleeps.', 1, 44, 44, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(46, '\x119e066e3447df6f407ac9753626e53be0b158e163f0a80156ff542769faf3e3', '\x12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126', '""', '"__proto__"', 46, 'The quokka of log 45 sleeps.', 1, 45, 45, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(47, '\xe839c3e0c45ab4aafc9d83a2676bc7e6e8fe8e50c1d4395b01eec4c85c00b992', '\x12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126', '""', '"é"', 47, 'The quokka of log 46 sleeps.', 1, 46, 46, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(48, '\x4321634881e8f806e19559c516fcec62710b421fc98def4ce3435a32a331572d', '\x12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126', '""', '"é"', 48, 'The quokka of log 47 sleeps.', 1, 47, 47, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(49, '\xa59a7faac5ce5bdf2f2d0f0a624bec658526e9557f7a14e78ec980f87d974d95', '\x12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126', '""', '"👩‍👧"', 49, 'The quokka of log 48 sleeps.', 1, 48, 48, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(50, '\x9a936bb4a50dfa3b300e25eca2dc70cb2f8a42f43552cac05304d7ce150dfaea', '\x12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126', '""', '"\ud83d"', 50, 'The quokka of log 49 sleeps.', 1, 49, 49, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(51, '\xdde0cbd0ead86f1c2514e51adf6a4440a4c0ea08cf6d0fbde9a9d02650aefb95', '\x12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126', '""', '"\ude00"', 51, 'The quokka of log 50 sleeps.', 1, 50, 50, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(52, '\x6bcb6fbf4e173bcd26e916599de6a3c1e3014f3fde0a3af4223336696203e719', '\x12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126', '""', '"�"', 52, 'The quokka of log 51 sleeps.', 1, 51, 51, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(53, '\x56d1c215494c71f4dff39e13d9a86949cdf8e471fea634430a1788349a78e445', '\x12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126', '""', '"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"', 53, 'The quokka of log 52 sleeps.', 1, 52, 52, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(54, '\xdb9594d628918359202a0c6839f4323035128bd919c7881ffc6267911f7300b4', '\x12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126', '""', '"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxy"', 54, 'The quokka of log 53 sleeps.', 1, 53, 53, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(55, '\xf3ed1ad5e2ad14ea64762d6c11d05c9277ce2e6f7dc0621c4b6d1e8ad27ef5a0', '\xf072cbec3bf8841871d4284230c5e983dc211a56837aed862487148f947d1a1f', '"null"', '""', 55, 'The quokka of log 54 sleeps.', 1, 54, 54, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(56, '\x6a36caf9666f5dcf0f401076c0406481d878251e6e7c2fa09387e3d0dc7135f3', '\xf072cbec3bf8841871d4284230c5e983dc211a56837aed862487148f947d1a1f', '"null"', '" "', 56, 'The quokka of log 55 sleeps.', 1, 55, 55, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(57, '\x8f166c6c8428c344bd1b5b479f50c7d0699029c9966ce58f4b30b4186f8c2430', '\xf072cbec3bf8841871d4284230c5e983dc211a56837aed862487148f947d1a1f', '"null"', '"a"', 57, 'The quokka of log 56 sleeps.', 1, 56, 56, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(58, '\x2389266ee2ae5ae04d279433f49dcd99f1201e36aa5e9d3b2ebbfae30db5bb2f', '\xf072cbec3bf8841871d4284230c5e983dc211a56837aed862487148f947d1a1f', '"null"', '"A"', 58, 'The quokka of log 57 sleeps.', 1, 57, 57, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(59, '\xa619fc563739a59229a66ceb2a14cf7fc8513c907014aad08ca8d537209642d1', '\xf072cbec3bf8841871d4284230c5e983dc211a56837aed862487148f947d1a1f', '"null"', '"a "', 59, 'The quokka of log 58 sleeps.', 1, 58, 58, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(60, '\xa1886d0525c72c3006f2aa4711c060b55459409a85eda8f8c0c1ad62bc48d559', '\xf072cbec3bf8841871d4284230c5e983dc211a56837aed862487148f947d1a1f', '"null"', '"a/b"', 60, 'The quokka of log 59 sleeps.', 1, 59, 59, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(61, '\x649cc4b1b9183907c4b1da41e513c0b0819b78b524863475141d84e1490d5bea', '\xf072cbec3bf8841871d4284230c5e983dc211a56837aed862487148f947d1a1f', '"null"', '"a\u0000b"', 61, 'The quokka of log 60 sleeps.', 1, 60, 60, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(62, '\xd89b1c9675d67b665522aed703013835d7ebb02c3f015c3bf0c728ca7b5e2fe3', '\xf072cbec3bf8841871d4284230c5e983dc211a56837aed862487148f947d1a1f', '"null"', '"a\u0000"', 62, 'The quokka of log 61 sleeps.', 1, 61, 61, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(63, '\x8544557458640594fb01a639d860a54148b41abff4150f6ae559d022147fb6af', '\xf072cbec3bf8841871d4284230c5e983dc211a56837aed862487148f947d1a1f', '"null"', '"\u0000"', 63, 'The quokka of log 62 sleeps.', 1, 62, 62, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(64, '\x4fff0f2c347afe06e11e930b25b62a070df7a255504b74de16d5603c5ff306b9', '\xf072cbec3bf8841871d4284230c5e983dc211a56837aed862487148f947d1a1f', '"null"', '"''; DROP TABLE events; --"', 64, 'The quokka of log 63 sleeps.', 1, 63, 63, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(65, '\x09d2e49d51c1708d9df48b70504d6e9d113452dde86f6b2005994a4b488ad867', '\xf072cbec3bf8841871d4284230c5e983dc211a56837aed862487148f947d1a1f', '"null"', '"\"a\""', 65, 'The quokka of log 64 sleeps.', 1, 64, 64, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(66, '\x10928f87888584746ebe64c8cc6a0afbe4ee0ca6c2586034eaad40352378bf10', '\xf072cbec3bf8841871d4284230c5e983dc211a56837aed862487148f947d1a1f', '"null"', '"\\"', 66, 'The quokka of log 65 sleeps.', 1, 65, 65, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(67, '\x52b6abd4f83ee2a008a867e9c8c5fbab0a7dc59c93b95d1019f5e269af39e2c7', '\xf072cbec3bf8841871d4284230c5e983dc211a56837aed862487148f947d1a1f', '"null"', '"\\x61"', 67, 'The quokka of log 66 sleeps.', 1, 66, 66, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(68, '\x9276c69c23dfc8369d60d9148a6c893b21c2745197884897713fbaeed2953b09', '\xf072cbec3bf8841871d4284230c5e983dc211a56837aed862487148f947d1a1f', '"null"', '"%"', 68, 'The quokka of log 67 sleeps.', 1, 67, 67, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(69, '\x7338f94e49c47e4ef6fb6095da45769804412395c2e3d89b66d0da95f467e367', '\xf072cbec3bf8841871d4284230c5e983dc211a56837aed862487148f947d1a1f', '"null"', '"_"', 69, 'The quokka of log 68 sleeps.', 1, 68, 68, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(70, '\x045ceced8f8d84383dd1d246b0c598207a280aeba3c1f00b50020ad01a1cd997', '\xf072cbec3bf8841871d4284230c5e983dc211a56837aed862487148f947d1a1f', '"null"', '"null"', 70, 'The quokka of log 69 sleeps.', 1, 69, 69, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(71, '\x8f72d16106bc792882a0b459369796758d3a281b37a75a2d1fba82cc20aa78c6', '\xf072cbec3bf8841871d4284230c5e983dc211a56837aed862487148f947d1a1f', '"null"', '"undefined"', 71, 'The quokka of log 70 sleeps.', 1, 70, 70, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(72, '\x8c3b749398f28a3ddc7db209052aa296a6e9bd702e4d49552f3012ef8e8b861b', '\xf072cbec3bf8841871d4284230c5e983dc211a56837aed862487148f947d1a1f', '"null"', '"0"', 72, 'The quokka of log 71 sleeps.', 1, 71, 71, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(73, '\x0e264e499827161f9a5e088ef923f89ab5889a3d9c3c32f55e23ce1be3c57045', '\xf072cbec3bf8841871d4284230c5e983dc211a56837aed862487148f947d1a1f', '"null"', '"__proto__"', 73, 'The quokka of log 72 sleeps.', 1, 72, 72, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(74, '\x2b9d8d10c22957fa1197297493b6d0155e81d1495af32a81b76d24348c4a98fe', '\xf072cbec3bf8841871d4284230c5e983dc211a56837aed862487148f947d1a1f', '"null"', '"é"', 74, 'The quokka of log 73 sleeps.', 1, 73, 73, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(75, '\xc0273dadf13c424f94ac2110bd54ac27a63479ba644adda2b982f7d3d975cd68', '\xf072cbec3bf8841871d4284230c5e983dc211a56837aed862487148f947d1a1f', '"null"', '"é"', 75, 'The quokka of log 74 sleeps.', 1, 74, 74, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(76, '\xc3a0f814839008306d90029ff2cf4203b71e0a0e7cb75b694b132003cd6e5fd2', '\xf072cbec3bf8841871d4284230c5e983dc211a56837aed862487148f947d1a1f', '"null"', '"👩‍👧"', 76, 'The quokka of log 75 sleeps.', 1, 75, 75, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(77, '\x1cbaf7969cc1b8530e9da9979d0d3eb94f89938bf4f08509d49ab410a597397c', '\xf072cbec3bf8841871d4284230c5e983dc211a56837aed862487148f947d1a1f', '"null"', '"\ud83d"', 77, 'The quokka of log 76 sleeps.', 1, 76, 76, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(78, '\xb5909c38bf3da4d09d5a2504d7d1e8144672bfc5b72f353a65a3269c73e1e0a6', '\xf072cbec3bf8841871d4284230c5e983dc211a56837aed862487148f947d1a1f', '"null"', '"\ude00"', 78, 'The quokka of log 77 sleeps.', 1, 77, 77, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(79, '\x55e73e3cee17eb2a27f35e0cc925349cf1afab395a5aac007fa502ba2666aa97', '\xf072cbec3bf8841871d4284230c5e983dc211a56837aed862487148f947d1a1f', '"null"', '"�"', 79, 'The quokka of log 78 sleeps.', 1, 78, 78, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(91, '\xcaa3e00523f5314978ac0a3bf98902f211562526564cbc58505b896d33d40567', '\x4d114ac4376a8af92c751653597bdfb3e16211412c47ddcfd1355ad1d83013e0', '"\"a\""', '"shared"', 91, 'The quokka of log 90 sleeps.', 1, 90, 90, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(80, '\x9a61ceca3e475bb03258e49e9cc96fa28ccb488730b18adee451d7d16495fcd1', '\xf072cbec3bf8841871d4284230c5e983dc211a56837aed862487148f947d1a1f', '"null"', '"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"', 80, 'The quokka of log 79 sleeps.', 1, 79, 79, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(81, '\x9c5e5d4c63e3e043cae43689c6048b33fc81666ad778da43815a0102d4fa4a6e', '\xf072cbec3bf8841871d4284230c5e983dc211a56837aed862487148f947d1a1f', '"null"', '"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxy"', 81, 'The quokka of log 80 sleeps.', 1, 80, 80, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(82, '\x33d13cf92e140d5d4f24be23fc18cb4fc5eecea8a9721b2b432c9c72fb897659', '\x52109349dabf69106e04ec2f493fb8b6ade94ea100227cccce6559ab8b96553f', '" "', '"shared"', 82, 'The quokka of log 81 sleeps.', 1, 81, 81, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(83, '\x037ee4a5bfc233c30115c451d3f0f856ed0c5d209e0340e788f45df58587d447', '\xac8d8342bbb2362d13f0a559a3621bb407011368895164b628a54f7fc33fc43c', '"a"', '"shared"', 83, 'The quokka of log 82 sleeps.', 1, 82, 82, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(84, '\x6241e10428d25afaeda7db46c0f347b9967ba8a44fa564691effb0bca8e36853', '\x798640599597df7a8daa32b1132f07850a68b5e71bd295650399a38074f52804', '"A"', '"shared"', 84, 'The quokka of log 83 sleeps.', 1, 83, 83, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(85, '\xc0961df6f38a166a5e00e89d056b864a2cd29d004a19bb35194b32efbce478df', '\xe64e6f1b53ea28ee926b1f723ffbfb2a83dc5d702267a4d1dc967b9de4bf64e3', '"a "', '"shared"', 85, 'The quokka of log 84 sleeps.', 1, 84, 84, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(86, '\xe9c8179c3f7ded13e21cca7d75151966b95b876bea8f216dd70a5c5ead388ffc', '\xf5effa31772a3689cb116700c569f4b72d765290968f099016a899ab6c1e4ee3', '"a/b"', '"shared"', 86, 'The quokka of log 85 sleeps.', 1, 85, 85, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(87, '\x7d3db044b36a9d5432fe74f5850a4bdbb139fbb64f901be1ccf534893f3657a8', '\x9db18af7360cd5d03bddf6a34395bcbe2a9a0c79ef7c495e5bd149c3c490defe', '"a\u0000b"', '"shared"', 87, 'The quokka of log 86 sleeps.', 1, 86, 86, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(88, '\x4119f7ed5ef629fc46ac001f46196b08c0610e5a647217e8016f466bc65bb56a', '\x4b39d081616a84599300ceb3161a9de1d2f8a2cda149459df8e5de861eb82a21', '"a\u0000"', '"shared"', 88, 'The quokka of log 87 sleeps.', 1, 87, 87, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(89, '\x81fa391356d5bc10e3beea8506a5a2ae702fee6b02defdbd074282216b8a0d57', '\x700174b26850d224c7a156cb6a45cea08031eab640fcfc1eaf7f770ab9aeaa66', '"\u0000"', '"shared"', 89, 'The quokka of log 88 sleeps.', 1, 88, 88, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(90, '\xe7c804cd0d0d248fd75545c072d25a404f11c0c517c763b8c5a998f83b855444', '\xdb57632f0abb5be33be300ddfb1d2b7e12f4f674e61928614071deba2f4003b4', '"''; DROP TABLE events; --"', '"shared"', 90, 'The quokka of log 89 sleeps.', 1, 89, 89, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(92, '\x1ab3417b1334c7aa81cba2731307357bcf3dec40000bd8460389faa27bb7b667', '\x687a9ed5a2b7019504648f874bb683f56e7787e1a4738493d84349c8d4e72b23', '"\\"', '"shared"', 92, 'The quokka of log 91 sleeps.', 1, 91, 91, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(93, '\x05eab88e0751fa378fce9969429a5f3c224b625e6bd9a28fe1c0d62775956183', '\x939d1e3f35b010e46ce5719085a155750710c4c3b9fd2a09601ca44530adb79d', '"\\x61"', '"shared"', 93, 'The quokka of log 92 sleeps.', 1, 92, 92, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(94, '\x53850f2f2d8bc10c228c9eac6bd1dc613d9c8cf02cf1af1e474a349c2a4ee621', '\xaae8bbcde3fba4cd9c3423d6f894dd67997cd58dc943ca18b93ea0e218496af9', '"%"', '"shared"', 94, 'The quokka of log 93 sleeps.', 1, 93, 93, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(95, '\xd9f6bd1ec79c3a7a28dd4266f7b89812993b1898dad4573b4628261712b85433', '\x080390646b2497878dd1321ed9780c229a3d08ac5b158117f943d92e225425f7', '"_"', '"shared"', 95, 'The quokka of log 94 sleeps.', 1, 94, 94, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(96, '\xa1bd56783ea4a257fe1b614ff3b9409163005903c8cda6c51368c7e78baf2ac8', '\xcf939b398b75f0a65d78fbc06aaf35308fa67b9dd3dd0de3a961c4796f1be0e6', '"undefined"', '"shared"', 96, 'The quokka of log 95 sleeps.', 1, 95, 95, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(97, '\x646c07c842ef99f5346634fd8bcae7e40e3f6da4ff222302740fc3a2ef6e5c32', '\x98089e6d36f78e9766c9ea34d5acb3611f3a92cd81c5eb102095d924ffc7d08b', '"0"', '"shared"', 97, 'The quokka of log 96 sleeps.', 1, 96, 96, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(98, '\x5561f0343f70200e38eb42636381df76ed5248aec80b8d4106bace673d137e8e', '\x687b4cd3e337b92f6685ef49412e00c17444c41114e98bcf4c6d9851a2517bd3', '"__proto__"', '"shared"', 98, 'The quokka of log 97 sleeps.', 1, 97, 97, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(99, '\xb877773618e8af3358d95e9a18c2583e04e406d476ae8a6affe96dec7bfddab3', '\xf2886017e9c7abacf804b54d64787dce2b611c9544ba21f3affdd126a6e50086', '"é"', '"shared"', 99, 'The quokka of log 98 sleeps.', 1, 98, 98, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(100, '\x2b789fdd477c13036341c3a4a1b5b1e3aecd99faccba5776417c73ee99c232dc', '\x3d68ce21f2899a475713cdbe7562ba9bdb6b1dfde8af1f221bdff4a0935b53b2', '"é"', '"shared"', 100, 'The quokka of log 99 sleeps.', 1, 99, 99, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(101, '\x1bca9ad5cd6cd38aaf2005a65e7f5f9cf5b67b5b0cb293f5ead3f725b40e9862', '\x5d351a9181a562021a3c6513dbd831358db8e16b7f845dfdc9c5dc59f14b2922', '"👩‍👧"', '"shared"', 101, 'The quokka of log 100 sleeps.', 1, 100, 100, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(102, '\x832a27c2005770adaa48dada286fddada9425d87f7f14a009fce62319f7ee148', '\x2ef39d7e532783c70326bd1414557d41c30b77c9a5293288de1df7eb67575ffc', '"\ud83d"', '"shared"', 102, 'The quokka of log 101 sleeps.', 1, 101, 101, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(103, '\xfd46cd9cc7e72dfe9ef3d9e546789b22ee5c9f6afe6bf32e08df71ffa2f0a000', '\x863314f2010f0b5765660f8d51d7e7769c4bd20dc91c1f2d470bc73227cf6e56', '"\ude00"', '"shared"', 103, 'The quokka of log 102 sleeps.', 1, 102, 102, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(104, '\x5c04d0e0c52277d64080d7fff80ac71c3d63d1a669e24e8e412773998f1becc8', '\x568601070314e0f4489c9944b3c151d5251d379330008293bb7e1a826a22a845', '"�"', '"shared"', 104, 'The quokka of log 103 sleeps.', 1, 103, 103, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(105, '\x066992a9c662e372f6ffd9f6c0a7b5c97dcb26bb728542760154825f00704133', '\xd24923841d98dcd5a081ba3b99596483edeeca895b41ded64c8aa77a3c438fa7', '"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"', '"shared"', 105, 'The quokka of log 104 sleeps.', 1, 104, 104, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(106, '\x0902147927b8e71dfed2807a3d9c0ceb557f3e8862001981ec5e297e774f2b01', '\xf827a3de989dd53bdbad6072f87302ac700fc0693fbd592a675d8dcf45009eef', '"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxy"', '"shared"', 106, 'The quokka of log 105 sleeps.', 1, 105, 105, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(109, '\xc6affd46d44fbaa3dcd952e807c9a1e72c730ef04b8a6b122ca0c8a2502ced2d', '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', 'null', '"batches"', 109, 'Anonymous batch', 3, 1, 1, 0, true, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(111, '\xf7f9803046a54d9fa853fd860f93d2a12a71c33653a69ab49710f11c7640b4e7', '\x6ec8b2f67db1bc05685b30ff9764b89ac2833fe0eaf41eb6f2d06cd1fb064325', '"grace"', '"large"', 111, 'Before the large one', 3, 1, 3, 3, false, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(115, '\xf06f6e217036faabaae1f8473e6868c4ef00c40c9bffd3a98c416cfc96ef4532', '\x982c2f9e71df354525a6c3c60fe5f63cbf624b59fb9539e267f5ad935c619613', '"ada"', '"leased"', 115, 'Before the lease', 1, 1, 1, 1, false, '"an owner \u0000 é"', 1, 4949540603771.896, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(117, '\xa9b7a11d647d56b2f3f8c941ddedc09832f858f8a6d177dccf4b882e76031930', '\x982c2f9e71df354525a6c3c60fe5f63cbf624b59fb9539e267f5ad935c619613', '"ada"', '"waiting"', 119, 'Taken', 1, 1, 1, 0, true, NULL, NULL, NULL, NULL, '\x119cc5032e13fa6e0db878d8576ddef87a89036d5cae3202b405d1b3ef73d2af'),
	(110, '\xae7e22b3596ecbdccf56eb0e0514b568e00e43efc31a18060bb494cb3570726a', '\x982c2f9e71df354525a6c3c60fe5f63cbf624b59fb9539e267f5ad935c619613', '"ada"', '"clock runs backwards"', 110, 'Backwards 0', 7, 1700000300, 253402300799.999, 7, false, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(108, '\xc52f19d6a9385b6d664b1e2f188fe8185c1bfc48e2a9728fccc59409f97f7626', '\x982c2f9e71df354525a6c3c60fe5f63cbf624b59fb9539e267f5ad935c619613', '"ada"', '"batches"', 108, 'Batch 0, place 0', 21, 0, 10, 21, false, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(116, '\x7d9064461141df3a22f9eb80c595c60ce9b13f79661f8d6529cb65cc4c399454', '\x982c2f9e71df354525a6c3c60fe5f63cbf624b59fb9539e267f5ad935c619613', '"ada"', '"named"', 116, 'A name �', 2, 1, 2, 2, false, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(107, '\x03f9adc842f0271dd7fadf3296e37a4c3837a90599aef9b0882d91a2700dd5a6', '\x982c2f9e71df354525a6c3c60fe5f63cbf624b59fb9539e267f5ad935c619613', '"ada"', '"every kind"', 117, 'What is in main.py?', 19, 1700000000.123456, 5, 19, false, NULL, NULL, NULL, NULL, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'),
	(118, '\xcab42eacc4f33d407722f340f423f7e55c2c01b506bc252a755fa7fac7797afb', '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', 'null', '"parked"', NULL, '', 0, 0, 0, 0, false, NULL, NULL, NULL, NULL, '\x119cc5032e13fa6e0db878d8576ddef87a89036d5cae3202b405d1b3ef73d2af'),
	(119, '\x414a23e1ab256d3dd234c3e59acff427f30e67839d07cbdf461e8deb1e8bda93', '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', 'null', '"a timer"', NULL, '', 0, 0, 0, 0, false, NULL, NULL, NULL, NULL, '\x119cc5032e13fa6e0db878d8576ddef87a89036d5cae3202b405d1b3ef73d2af');

INSERT INTO cogency.events VALUES
	(1, 1, 'user', '{"type":"user","content":"The quokka of log 0 sleeps.","timestamp":0}', NULL, 'efeb4987-7235-4d3c-9e64-cca7fbdcbf36'),
	(2, 1, 'user', '{"type":"user","content":"The quokka of log 1 sleeps.","timestamp":1}', NULL, '534ab79a-4a3b-4df0-91e5-0052e11edde8'),
	(3, 1, 'user', '{"type":"user","content":"The quokka of log 2 sleeps.","timestamp":2}', NULL, 'e1899bfa-3754-4f1c-a53e-bf32a6d28601'),
	(4, 1, 'user', '{"type":"user","content":"The quokka of log 3 sleeps.","timestamp":3}', NULL, '11f74ff7-326d-4c7d-b4e5-4717820f9860'),
	(5, 1, 'user', '{"type":"user","content":"The quokka of log 4 sleeps.","timestamp":4}', NULL, '90cc9060-ba28-423c-bc69-928b8d687c95'),
	(6, 1, 'user', '{"type":"user","content":"The quokka of log 5 sleeps.","timestamp":5}', NULL, 'ad4686c7-b9d7-499e-93e5-a9de2a575774'),
	(7, 1, 'user', '{"type":"user","content":"The quokka of log 6 sleeps.","timestamp":6}', NULL, '35a49c92-b4e2-47d2-8a2f-828c8015ebe6'),
	(8, 1, 'user', '{"type":"user","content":"The quokka of log 7 sleeps.","timestamp":7}', NULL, '431fae65-d2d2-461e-a9ff-f2980b4e824d'),
	(9, 1, 'user', '{"type":"user","content":"The quokka of log 8 sleeps.","timestamp":8}', NULL, '9e3cec40-fecb-4fb8-ae90-e6548f2c6aee'),
	(10, 1, 'user', '{"type":"user","content":"The quokka of log 9 sleeps.","timestamp":9}', NULL, '34c1a62f-5602-4864-9587-704f6ee7d376'),
	(11, 1, 'user', '{"type":"user","content":"The quokka of log 10 sleeps.","timestamp":10}', NULL, '6eb7aa4d-ccbf-438c-b5ac-11ddfd97d706'),
	(12, 1, 'user', '{"type":"user","content":"The quokka of log 11 sleeps.","timestamp":11}', NULL, '7515de97-2440-4d86-9e51-e81d770e0fb5'),
	(13, 1, 'user', '{"type":"user","content":"The quokka of log 12 sleeps.","timestamp":12}', NULL, '9383a79c-eb59-4ce6-adea-d592735c22e3'),
	(14, 1, 'user', '{"type":"user","content":"The quokka of log 13 sleeps.","timestamp":13}', NULL, 'fc01cc47-f96a-4b2e-b296-26516a5da30a'),
	(15, 1, 'user', '{"type":"user","content":"The quokka of log 14 sleeps.","timestamp":14}', NULL, 'b6ef5a3c-06b7-4881-abfc-e2617c6acfa7'),
	(16, 1, 'user', '{"type":"user","content":"The quokka of log 15 sleeps.","timestamp":15}', NULL, '6a3deb9d-975a-4812-976f-3f74905831b2'),
	(17, 1, 'user', '{"type":"user","content":"The quokka of log 16 sleeps.","timestamp":16}', NULL, '01d668a3-8559-4557-9e58-03de9f389d1b'),
	(18, 1, 'user', '{"type":"user","content":"The quokka of log 17 sleeps.","timestamp":17}', NULL, '4376c422-28be-401f-b0cc-8ce9a9e3f863'),
	(19, 1, 'user', '{"type":"user","content":"The quokka of log 18 sleeps.","timestamp":18}', NULL, 'ac34addf-4bf2-486a-86b2-5f6000878f87'),
	(20, 1, 'user', '{"type":"user","content":"The quokka of log 19 sleeps.","timestamp":19}', NULL, '344a3cbb-3d72-4a5b-b04c-3b181f0c5741'),
	(21, 1, 'user', '{"type":"user","content":"The quokka of log 20 sleeps.","timestamp":20}', NULL, 'b64a51b6-966a-4035-a5d6-75e4eca8bd83'),
	(22, 1, 'user', '{"type":"user","content":"The quokka of log 21 sleeps.","timestamp":21}', NULL, 'eab78529-60fa-49bb-8f90-0e86d4baff08'),
	(23, 1, 'user', '{"type":"user","content":"The quokka of log 22 sleeps.","timestamp":22}', NULL, '8ad79633-21bb-451a-b35c-a63821e069ac'),
	(24, 1, 'user', '{"type":"user","content":"The quokka of log 23 sleeps.","timestamp":23}', NULL, '668e6773-a3cd-441e-b872-9e91135d0714'),
	(25, 1, 'user', '{"type":"user","content":"The quokka of log 24 sleeps.","timestamp":24}', NULL, '72640196-be21-4247-aaff-692f2dec5916'),
	(26, 1, 'user', '{"type":"user","content":"The quokka of log 25 sleeps.","timestamp":25}', NULL, '9b35e0e1-915e-4625-8083-50e0bb052fb7'),
	(27, 1, 'user', '{"type":"user","content":"The quokka of log 26 sleeps.","timestamp":26}', NULL, '80909042-b7db-42e2-92c0-42b4fe27f359'),
	(28, 1, 'user', '{"type":"user","content":"The quokka of log 27 sleeps.","timestamp":27}', NULL, '0bf92d60-cf77-464a-a99d-93d5307033cd'),
	(29, 1, 'user', '{"type":"user","content":"The quokka of log 28 sleeps.","timestamp":28}', NULL, '9b4327b4-730a-475b-8a8b-dd3f1422e009'),
	(30, 1, 'user', '{"type":"user","content":"The quokka of log 29 sleeps.","timestamp":29}', NULL, 'd19bd666-29eb-470a-99aa-089970abe2d5'),
	(31, 1, 'user', '{"type":"user","content":"The quokka of log 30 sleeps.","timestamp":30}', NULL, '220b93a0-e5da-4a00-9773-0dee718b5689'),
	(32, 1, 'user', '{"type":"user","content":"The quokka of log 31 sleeps.","timestamp":31}', NULL, 'b70f6d06-71ca-42c8-8404-15b6aee55665'),
	(33, 1, 'user', '{"type":"user","content":"The quokka of log 32 sleeps.","timestamp":32}', NULL, '83ca641c-43b2-49ce-9e78-54c8865fa617'),
	(34, 1, 'user', '{"type":"user","content":"The quokka of log 33 sleeps.","timestamp":33}', NULL, '58967729-eab4-4438-b400-b4a8253defdf'),
	(35, 1, 'user', '{"type":"user","content":"The quokka of log 34 sleeps.","timestamp":34}', NULL, '15e63cb6-6562-4ca7-a479-ae2c75c10ad3'),
	(36, 1, 'user', '{"type":"user","content":"The quokka of log 35 sleeps.","timestamp":35}', NULL, 'f96325f0-aa68-41f5-83a6-1f2f8934aabd'),
	(37, 1, 'user', '{"type":"user","content":"The quokka of log 36 sleeps.","timestamp":36}', NULL, '10462f1a-e882-4c4c-aa85-eac4e3cc7ede'),
	(38, 1, 'user', '{"type":"user","content":"The quokka of log 37 sleeps.","timestamp":37}', NULL, 'aef355ca-a2b2-4799-87d7-5758992abee8'),
	(39, 1, 'user', '{"type":"user","content":"The quokka of log 38 sleeps.","timestamp":38}', NULL, '7f847941-934e-478c-80b1-5638967e2256'),
	(40, 1, 'user', '{"type":"user","content":"The quokka of log 39 sleeps.","timestamp":39}', NULL, '58ba5ad0-0f06-47cc-8d73-caf3db78ad47'),
	(41, 1, 'user', '{"type":"user","content":"The quokka of log 40 sleeps.","timestamp":40}', NULL, '56ee851e-c876-4386-b7cd-00697547e711'),
	(42, 1, 'user', '{"type":"user","content":"The quokka of log 41 sleeps.","timestamp":41}', NULL, '451015c7-88ae-4bf1-bce6-a6cbc7851f5d'),
	(43, 1, 'user', '{"type":"user","content":"The quokka of log 42 sleeps.","timestamp":42}', NULL, '47e190b6-8414-49d1-87ee-f1f1cab97d5a'),
	(44, 1, 'user', '{"type":"user","content":"The quokka of log 43 sleeps.","timestamp":43}', NULL, '46f80f5b-91f5-4178-a2f9-6caa486eebb3'),
	(45, 1, 'user', '{"type":"user","content":"The quokka of log 44 sleeps.","timestamp":44}', NULL, '3ef11034-f2e6-4e25-9f48-06360fd3a5d5'),
	(46, 1, 'user', '{"type":"user","content":"The quokka of log 45 sleeps.","timestamp":45}', NULL, '60a81dc4-a381-47a4-a37d-8a1f07213509'),
	(47, 1, 'user', '{"type":"user","content":"The quokka of log 46 sleeps.","timestamp":46}', NULL, '91b04b96-a9bc-403e-9a29-b77efcad5af3'),
	(48, 1, 'user', '{"type":"user","content":"The quokka of log 47 sleeps.","timestamp":47}', NULL, '1bcebe2d-61c0-4e90-b423-37d0fefe9d9a'),
	(49, 1, 'user', '{"type":"user","content":"The quokka of log 48 sleeps.","timestamp":48}', NULL, 'f01cf2bb-e8fe-48f7-982a-d032b2f86e35'),
	(50, 1, 'user', '{"type":"user","content":"The quokka of log 49 sleeps.","timestamp":49}', NULL, 'e9653759-fbd6-4df0-8621-1503e6300d86'),
	(51, 1, 'user', '{"type":"user","content":"The quokka of log 50 sleeps.","timestamp":50}', NULL, '18d5e26e-8ac9-48bd-a18e-d8888713a81f'),
	(52, 1, 'user', '{"type":"user","content":"The quokka of log 51 sleeps.","timestamp":51}', NULL, '8527492d-f241-4c9b-8589-859e69cf1d5c'),
	(53, 1, 'user', '{"type":"user","content":"The quokka of log 52 sleeps.","timestamp":52}', NULL, 'd83fe1c3-e8f2-45d1-80a3-3fab6b0302fa'),
	(54, 1, 'user', '{"type":"user","content":"The quokka of log 53 sleeps.","timestamp":53}', NULL, 'd1188272-8106-4eae-b90e-396ac50443ab'),
	(55, 1, 'user', '{"type":"user","content":"The quokka of log 54 sleeps.","timestamp":54}', NULL, 'e5879268-3b3d-4505-99db-3e1081772cd9'),
	(56, 1, 'user', '{"type":"user","content":"The quokka of log 55 sleeps.","timestamp":55}', NULL, '7ec7f187-50e8-4d16-9d64-9627123adab9'),
	(57, 1, 'user', '{"type":"user","content":"The quokka of log 56 sleeps.","timestamp":56}', NULL, '6e533ee1-3343-41a2-b4e0-0c27fb20b051'),
	(58, 1, 'user', '{"type":"user","content":"The quokka of log 57 sleeps.","timestamp":57}', NULL, 'fbfcce9b-39d7-4bb4-8af6-623189621e3a'),
	(59, 1, 'user', '{"type":"user","content":"The quokka of log 58 sleeps.","timestamp":58}', NULL, '41ee5abf-9270-4912-b0fa-2919257ff55b'),
	(60, 1, 'user', '{"type":"user","content":"The quokka of log 59 sleeps.","timestamp":59}', NULL, '2be4fc1e-d1be-474f-b8c9-67a767b47606'),
	(61, 1, 'user', '{"type":"user","content":"The quokka of log 60 sleeps.","timestamp":60}', NULL, 'b820e5d3-57f0-436d-b197-2e3a19fcab0a'),
	(62, 1, 'user', '{"type":"user","content":"The quokka of log 61 sleeps.","timestamp":61}', NULL, '84d8c849-1e56-4d48-9600-c4993aac1269'),
	(63, 1, 'user', '{"type":"user","content":"The quokka of log 62 sleeps.","timestamp":62}', NULL, '2a5b30ca-dcb5-4986-9368-4dee4742c1c3'),
	(64, 1, 'user', '{"type":"user","content":"The quokka of log 63 sleeps.","timestamp":63}', NULL, '99e0d2cc-e089-4d4b-92d7-a60c827a528d'),
	(65, 1, 'user', '{"type":"user","content":"The quokka of log 64 sleeps.","timestamp":64}', NULL, 'cb0be0f0-fd95-4b86-8253-2c96d1f1839c'),
	(66, 1, 'user', '{"type":"user","content":"The quokka of log 65 sleeps.","timestamp":65}', NULL, '82d15e50-6cbb-46f6-b96d-9237a7af4b7d'),
	(67, 1, 'user', '{"type":"user","content":"The quokka of log 66 sleeps.","timestamp":66}', NULL, '6ce282e4-af8e-431b-8a30-802eeaa4b389'),
	(68, 1, 'user', '{"type":"user","content":"The quokka of log 67 sleeps.","timestamp":67}', NULL, 'c7befa82-2f2b-4dcf-88a5-0edb6553994a'),
	(69, 1, 'user', '{"type":"user","content":"The quokka of log 68 sleeps.","timestamp":68}', NULL, 'ce2b9ca3-60c9-47ab-88d2-efdd7c9f2c2a'),
	(70, 1, 'user', '{"type":"user","content":"The quokka of log 69 sleeps.","timestamp":69}', NULL, '7af18d5e-9e0f-4b73-8627-08bd3e8fa437'),
	(71, 1, 'user', '{"type":"user","content":"The quokka of log 70 sleeps.","timestamp":70}', NULL, '45482673-c7c0-4d8a-8725-de39e4eccd99'),
	(72, 1, 'user', '{"type":"user","content":"The quokka of log 71 sleeps.","timestamp":71}', NULL, 'fa38fdbd-563b-4d0b-a426-0ff03932c6cc'),
	(73, 1, 'user', '{"type":"user","content":"The quokka of log 72 sleeps.","timestamp":72}', NULL, '0e90b8c4-eabf-42a7-9dc8-3ca941961c3b'),
	(74, 1, 'user', '{"type":"user","content":"The quokka of log 73 sleeps.","timestamp":73}', NULL, '2133391e-20aa-4dc8-bd75-747ee842df65'),
	(75, 1, 'user', '{"type":"user","content":"The quokka of log 74 sleeps.","timestamp":74}', NULL, 'e67287b9-1a73-4374-b8b8-f896b67ec292'),
	(76, 1, 'user', '{"type":"user","content":"The quokka of log 75 sleeps.","timestamp":75}', NULL, '69595b70-e367-458a-9088-ee1a9be5363e'),
	(77, 1, 'user', '{"type":"user","content":"The quokka of log 76 sleeps.","timestamp":76}', NULL, '7b9b04cc-a471-4db3-b936-5fc046422bf0'),
	(78, 1, 'user', '{"type":"user","content":"The quokka of log 77 sleeps.","timestamp":77}', NULL, 'b0ad027c-f30f-4636-9f22-0872c65b9f04'),
	(79, 1, 'user', '{"type":"user","content":"The quokka of log 78 sleeps.","timestamp":78}', NULL, 'e886c8ff-2de5-4cd9-a3fa-dacc65b8d1ce'),
	(80, 1, 'user', '{"type":"user","content":"The quokka of log 79 sleeps.","timestamp":79}', NULL, 'dae25d43-dfbe-46ae-ad92-b9d3476a5670'),
	(81, 1, 'user', '{"type":"user","content":"The quokka of log 80 sleeps.","timestamp":80}', NULL, 'ea5d960e-7393-462f-8d32-5b3d42d65691'),
	(82, 1, 'user', '{"type":"user","content":"The quokka of log 81 sleeps.","timestamp":81}', NULL, '94dd22f5-03c1-4621-91dd-65c7e1c72ca8'),
	(83, 1, 'user', '{"type":"user","content":"The quokka of log 82 sleeps.","timestamp":82}', NULL, '0112f5e9-e6f9-4ccd-a3e8-d0604c99ef68'),
	(84, 1, 'user', '{"type":"user","content":"The quokka of log 83 sleeps.","timestamp":83}', NULL, '537b2508-2514-4159-90e2-1e9d0d1e1810'),
	(85, 1, 'user', '{"type":"user","content":"The quokka of log 84 sleeps.","timestamp":84}', NULL, '77b6b6a5-131d-4886-8b0d-19f20d4be6f1'),
	(86, 1, 'user', '{"type":"user","content":"The quokka of log 85 sleeps.","timestamp":85}', NULL, '42efddb3-fa31-4cb7-ae81-e47b43ef5655'),
	(87, 1, 'user', '{"type":"user","content":"The quokka of log 86 sleeps.","timestamp":86}', NULL, 'd8a777a8-90f9-447f-8d64-91c464676b1d'),
	(88, 1, 'user', '{"type":"user","content":"The quokka of log 87 sleeps.","timestamp":87}', NULL, 'ea8029ad-3786-4bca-87b1-3c51572eef72'),
	(89, 1, 'user', '{"type":"user","content":"The quokka of log 88 sleeps.","timestamp":88}', NULL, 'c8add9aa-a10e-475e-a840-bafb17208d40'),
	(90, 1, 'user', '{"type":"user","content":"The quokka of log 89 sleeps.","timestamp":89}', NULL, '73b94207-39a8-4c55-9dd6-b84990327059'),
	(91, 1, 'user', '{"type":"user","content":"The quokka of log 90 sleeps.","timestamp":90}', NULL, 'baf2268d-d92a-45c7-837b-9be624ebce7a'),
	(92, 1, 'user', '{"type":"user","content":"The quokka of log 91 sleeps.","timestamp":91}', NULL, '635bf796-5f92-4a85-8359-4124c0a83c5a'),
	(93, 1, 'user', '{"type":"user","content":"The quokka of log 92 sleeps.","timestamp":92}', NULL, '43af3793-382f-44b6-9888-36b5902f51e2'),
	(94, 1, 'user', '{"type":"user","content":"The quokka of log 93 sleeps.","timestamp":93}', NULL, '2b1abfdf-42dd-487e-a17a-f1ae04514221'),
	(95, 1, 'user', '{"type":"user","content":"The quokka of log 94 sleeps.","timestamp":94}', NULL, '8e94358c-c8db-452a-84dd-cffde113d77a'),
	(96, 1, 'user', '{"type":"user","content":"The quokka of log 95 sleeps.","timestamp":95}', NULL, 'c34b8b0b-30ae-4c5c-982a-ee957744d072'),
	(97, 1, 'user', '{"type":"user","content":"The quokka of log 96 sleeps.","timestamp":96}', NULL, '76867550-a04a-41f4-9f5f-a036f7f16487'),
	(98, 1, 'user', '{"type":"user","content":"The quokka of log 97 sleeps.","timestamp":97}', NULL, '1491d126-ec27-42bc-901c-ed27ff72db2b'),
	(99, 1, 'user', '{"type":"user","content":"The quokka of log 98 sleeps.","timestamp":98}', NULL, '36c7eef3-5c2c-4424-805e-4d1f93435000'),
	(100, 1, 'user', '{"type":"user","content":"The quokka of log 99 sleeps.","timestamp":99}', NULL, '3a1fc051-ce43-495a-b31b-56b22e7be315'),
	(101, 1, 'user', '{"type":"user","content":"The quokka of log 100 sleeps.","timestamp":100}', NULL, '72752f24-0b2e-49ff-91d9-c840714137fe'),
	(102, 1, 'user', '{"type":"user","content":"The quokka of log 101 sleeps.","timestamp":101}', NULL, 'f4b7070b-6b8f-41ad-b4a0-6902fb731552'),
	(103, 1, 'user', '{"type":"user","content":"The quokka of log 102 sleeps.","timestamp":102}', NULL, 'f35af799-1e07-46d6-9c15-5b5f368f998c'),
	(104, 1, 'user', '{"type":"user","content":"The quokka of log 103 sleeps.","timestamp":103}', NULL, '177f4f36-d178-4f06-8220-acb015011b49'),
	(105, 1, 'user', '{"type":"user","content":"The quokka of log 104 sleeps.","timestamp":104}', NULL, '0d936562-515a-4e6d-a1c9-d622e4fbd893'),
	(106, 1, 'user', '{"type":"user","content":"The quokka of log 105 sleeps.","timestamp":105}', NULL, '44b0e67c-6fe3-45c3-bed8-972e89d7938a'),
	(107, 1, 'user', '{"type":"user","content":"What is in main.py?","timestamp":1700000000.123456}', NULL, NULL),
	(107, 2, 'user', '{"type":"user","content":"Go on.","origin":"nudge","timestamp":1700000001}', NULL, NULL),
	(107, 3, 'user', '{"type":"user","content":"A file changed.","origin":"notice","timestamp":1700000001.5}', NULL, NULL),
	(107, 4, 'user', '{"type":"user","content":"You were interrupted.","origin":"recovery","timestamp":1700000002}', NULL, NULL),
	(107, 5, 'think', '{"type":"think","content":"I need to read it.\n\n  Twice.","timestamp":1700000003}', NULL, NULL),
	(107, 6, 'call', '{"type":"call","content":"{\"name\":\"read\",\"args\":{\"file\":\"main.py\"}}","id":"call_1","timestamp":1700000004}', NULL, NULL),
	(107, 7, 'call', '{"type":"call","content":"{\"name\":\"now\",\"args\":{}}","timestamp":0}', NULL, NULL),
	(107, 8, 'result', '{"type":"result","content":"[{\"tool\":\"read\",\"status\":\"success\",\"content\":\"print(\\\"bandicoot\\\") \\u003cexecute>\"}]","payload":{"tools_executed":1,"success_count":1,"failure_count":0},"timestamp":1700000005}', NULL, NULL),
	(107, 9, 'respond', '{"type":"respond","content":"","timestamp":1700000006}', NULL, NULL),
	(107, 10, 'respond', '{"type":"respond","content":"It prints a line.","unit":2,"timestamp":1700000007}', NULL, NULL),
	(107, 11, 'cancelled', '{"type":"cancelled","timestamp":-1.5}', NULL, NULL),
	(107, 12, 'record', '{"type":"record","kind":"started","data":{"id":"call_1"},"timestamp":1700000008}', NULL, NULL),
	(107, 13, 'record', '{"type":"record","kind":"finished","data":{"id":"call_1","result":{"tool":"read","status":"success","content":[1,null,{"deep":[[[]],{}]}]}},"timestamp":1700000009}', NULL, NULL),
	(107, 14, 'record', '{"type":"record","kind":"rejected","data":{"code":"malformed_execute","message":"Expected an array.","position":17},"timestamp":1700000010}', NULL, NULL),
	(107, 15, 'record', '{"type":"record","kind":"native","data":{"provider":"p","model":"m","data":[{"signature":"AbC+/=","thinking":"…"}]},"timestamp":1700000011}', NULL, NULL),
	(107, 16, 'record', '{"type":"record","kind":"summary","data":"They talked about files.","timestamp":1700000012}', NULL, NULL),
	(107, 17, 'record', '{"type":"record","kind":"usage","data":{"input":10,"output":2,"cacheRead":0,"cacheWrite":0,"reasoning":0,"duration":0.1,"cost":1e-7},"timestamp":1700000013}', NULL, NULL),
	(107, 18, 'record', '{"type":"record","kind":"summary","data":null,"timestamp":1700000014}', '\xa1d7b84897dfca3c7cc2919bbd134cd138603658e0cd20637a87fe34c4cb07fe', NULL),
	(108, 1, 'user', '{"type":"user","content":"Batch 0, place 0","timestamp":0}', '\x12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126', NULL),
	(108, 2, 'user', '{"type":"user","content":"Batch 1, place 0","timestamp":1}', NULL, NULL),
	(108, 3, 'user', '{"type":"user","content":"Batch 1, place 1","timestamp":1}', '\xc100f95c1913f9c72fc1f4ef0847e1e723ffe0bde0b36e5f36c13f81fe8c26ed', NULL),
	(108, 4, 'user', '{"type":"user","content":"Batch 2, place 0","timestamp":2}', NULL, NULL),
	(108, 5, 'user', '{"type":"user","content":"Batch 2, place 1","timestamp":2}', NULL, NULL),
	(108, 6, 'user', '{"type":"user","content":"Batch 2, place 2","timestamp":2}', '\x955cca1ceba45052d85984d3a2565f4ce25b7488602c60a165598bf80b26e472', NULL),
	(108, 7, 'user', '{"type":"user","content":"Batch 3, place 0","timestamp":3}', '\x47634d3b848217f26e5fed6d773d668fca3f0823ce071d367a5718010292c6e4', NULL),
	(108, 8, 'user', '{"type":"user","content":"Batch 4, place 0","timestamp":4}', NULL, NULL),
	(108, 9, 'user', '{"type":"user","content":"Batch 4, place 1","timestamp":4}', '\xc5e35177a85401954b0d87c14d975b796aef54711b1fffede0bb33c4d6835ad6', NULL),
	(108, 10, 'user', '{"type":"user","content":"Batch 5, place 0","timestamp":5}', NULL, NULL),
	(108, 11, 'user', '{"type":"user","content":"Batch 5, place 1","timestamp":5}', NULL, NULL),
	(108, 12, 'user', '{"type":"user","content":"Batch 5, place 2","timestamp":5}', '\x2ef39d7e532783c70326bd1414557d41c30b77c9a5293288de1df7eb67575ffc', NULL),
	(108, 13, 'user', '{"type":"user","content":"Batch 6, place 0","timestamp":6}', '\x863314f2010f0b5765660f8d51d7e7769c4bd20dc91c1f2d470bc73227cf6e56', NULL),
	(108, 14, 'user', '{"type":"user","content":"Batch 7, place 0","timestamp":7}', NULL, NULL),
	(108, 15, 'user', '{"type":"user","content":"Batch 7, place 1","timestamp":7}', '\xf072cbec3bf8841871d4284230c5e983dc211a56837aed862487148f947d1a1f', NULL),
	(108, 16, 'user', '{"type":"user","content":"Batch 8, place 0","timestamp":8}', NULL, NULL),
	(108, 17, 'user', '{"type":"user","content":"Batch 8, place 1","timestamp":8}', NULL, NULL),
	(108, 18, 'user', '{"type":"user","content":"Batch 8, place 2","timestamp":8}', '\xf2886017e9c7abacf804b54d64787dce2b611c9544ba21f3affdd126a6e50086', NULL),
	(108, 19, 'user', '{"type":"user","content":"Batch 9, place 0","timestamp":9}', '\x3d68ce21f2899a475713cdbe7562ba9bdb6b1dfde8af1f221bdff4a0935b53b2', NULL),
	(108, 20, 'user', '{"type":"user","content":"Batch 10, place 0","timestamp":10}', NULL, NULL),
	(108, 21, 'user', '{"type":"user","content":"Batch 10, place 1","timestamp":10}', '\xbc3330451b647fa6472bab0619fbf5681598dfb7b55f3946b97a7eca351b9741', NULL),
	(109, 1, 'user', '{"type":"user","content":"Anonymous batch","timestamp":1}', '\x12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126', NULL),
	(109, 2, 'user', '{"type":"user","content":"Anonymous batch","timestamp":1}', '\xc100f95c1913f9c72fc1f4ef0847e1e723ffe0bde0b36e5f36c13f81fe8c26ed', NULL),
	(109, 3, 'user', '{"type":"user","content":"Anonymous batch","timestamp":1}', '\x955cca1ceba45052d85984d3a2565f4ce25b7488602c60a165598bf80b26e472', NULL),
	(110, 1, 'user', '{"type":"user","content":"Backwards 0","timestamp":1700000300}', NULL, NULL),
	(110, 2, 'user', '{"type":"user","content":"Backwards 1","timestamp":1700000200.5}', NULL, NULL),
	(110, 3, 'user', '{"type":"user","content":"Backwards 2","timestamp":1700000100}', NULL, NULL),
	(110, 4, 'user', '{"type":"user","content":"Backwards 3","timestamp":-62135596800}', NULL, NULL),
	(110, 5, 'user', '{"type":"user","content":"Backwards 4","timestamp":0}', NULL, NULL),
	(110, 6, 'user', '{"type":"user","content":"Backwards 5","timestamp":1e-7}', NULL, NULL),
	(110, 7, 'user', '{"type":"user","content":"Backwards 6","timestamp":253402300799.999}', NULL, 'e3d9e1f5-038c-40b8-805b-547c747cd856'),
	(111, 1, 'user', '{"type":"user","content":"Before the large one","timestamp":1}', NULL, NULL),
	(111, 2, 'user', '{"type":"user","content":"Bilby 0 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 1 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 8 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 27 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 64 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 125 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 216 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 343 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 512 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 729 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 1000 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 1331 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 1728 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 2197 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 2744 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 3375 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 4096 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 4913 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 5832 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 6859 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 8000 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 9261 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 10648 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 12167 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 13824 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 15625 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 17576 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 19683 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 21952 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 24389 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 27000 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 29791 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 32768 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 35937 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 39304 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 42875 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 46656 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 50653 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 54872 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 59319 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 64000 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 68921 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 74088 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 79507 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 85184 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 91125 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 97336 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 103823 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 110592 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 117649 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 125000 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 132651 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 140608 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 148877 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 157464 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 166375 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 175616 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 185193 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 195112 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 205379 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 216000 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 226981 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 238328 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 250047 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 262144 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 274625 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 287496 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 300763 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 314432 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 328509 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 343000 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 357911 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 373248 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 389017 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 405224 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 421875 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 438976 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 456533 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 474552 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 493039 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 512000 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 531441 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 551368 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 571787 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 592704 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 614125 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 636056 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 658503 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 681472 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 704969 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 729000 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 753571 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 778688 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 804357 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 830584 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 857375 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 884736 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 912673 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 941192 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 970299 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 1000000 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 1030301 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 1061208 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 1092727 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 1124864 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 1157625 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 1191016 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 1225043 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 1259712 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 1295029 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 1331000 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 1367631 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 1404928 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 1442897 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 1481544 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 1520875 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 1560896 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 1601613 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 1643032 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 1685159 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 1728000 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 1771561 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 1815848 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 1860867 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 1906624 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 1953125 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 2000376 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 2048383 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 2097152 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 2146689 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 2197000 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 2248091 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 2299968 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 2352637 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 2406104 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 2460375 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 2515456 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 2571353 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 2628072 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 2685619 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 2744000 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 2803221 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 2863288 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 2924207 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 2985984 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 3048625 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 3112136 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 3176523 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 3241792 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 3307949 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 3375000 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 3442951 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 3511808 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 3581577 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 3652264 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 3723875 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 3796416 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 3869893 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 3944312 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 4019679 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 4096000 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 4173281 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 4251528 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 4330747 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 4410944 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 4492125 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 4574296 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 4657463 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 4741632 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 4826809 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 4913000 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 5000211 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 5088448 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 5177717 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 5268024 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 5359375 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 5451776 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 5545233 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 5639752 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 5735339 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 5832000 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 5929741 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 6028568 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 6128487 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 6229504 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 6331625 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 6434856 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 6539203 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 6644672 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 6751269 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 6859000 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 6967871 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 7077888 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 7189057 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 7301384 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 7414875 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 7529536 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 7645373 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 7762392 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 7880599 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 8000000 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 8120601 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 8242408 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 8365427 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 8489664 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 8615125 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 8741816 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 8869743 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 8998912 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 9129329 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 9261000 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 9393931 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 9528128 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 9663597 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 9800344 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 9938375 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 10077696 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 10218313 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 10360232 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 10503459 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 10648000 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 10793861 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 10941048 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 11089567 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 11239424 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 11390625 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 11543176 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 11697083 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 11852352 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 12008989 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 12167000 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 12326391 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 12487168 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 12649337 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 12812904 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 12977875 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 13144256 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 13312053 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 13481272 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 13651919 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 13824000 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 13997521 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 14172488 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 14348907 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 14526784 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 14706125 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 14886936 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 15069223 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 15252992 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 15438249 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 15625000 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 15813251 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 16003008 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 16194277 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 16387064 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 16581375 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 16777216 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 16974593 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 17173512 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 17373979 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 17576000 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 17779581 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 17984728 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 18191447 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 18399744 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 18609625 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 18821096 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 19034163 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 19248832 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 19465109 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 19683000 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 19902511 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 20123648 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 20346417 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 20570824 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 20796875 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 21024576 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 21253933 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 21484952 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 21717639 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 21952000 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 22188041 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 22425768 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 22665187 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 22906304 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 23149125 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 23393656 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 23639903 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 23887872 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 24137569 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 24389000 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 24642171 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 24897088 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 25153757 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 25412184 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 25672375 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 25934336 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 26198073 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 26463592 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 26730899 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 27000000 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 27270901 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 27543608 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 27818127 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 28094464 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 28372625 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 28652616 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 28934443 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 29218112 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 29503629 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 29791000 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 30080231 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 30371328 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 30664297 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 30959144 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 31255875 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 31554496 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 31855013 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 32157432 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 32461759 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 32768000 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 33076161 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 33386248 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 33698267 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 34012224 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 34328125 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 34645976 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 34965783 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 35287552 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 35611289 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 35937000 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 36264691 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 36594368 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 36926037 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 37259704 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 37595375 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 37933056 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 38272753 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 38614472 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 38958219 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 39304000 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 39651821 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 40001688 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 40353607 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 40707584 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 41063625 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 41421736 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 41781923 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 42144192 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 42508549 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 42875000 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 43243551 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 43614208 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 43986977 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 44361864 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 44738875 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 45118016 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 45499293 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 45882712 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 46268279 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 46656000 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 47045881 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 47437928 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 47832147 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 48228544 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 48627125 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 49027896 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 49430863 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 49836032 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 50243409 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 50653000 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 51064811 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 51478848 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 51895117 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 52313624 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 52734375 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 53157376 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 53582633 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 54010152 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 54439939 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 54872000 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 55306341 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 55742968 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 56181887 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 56623104 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 57066625 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 57512456 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 57960603 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 58411072 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 58863869 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 59319000 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 59776471 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 60236288 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 60698457 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 61162984 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 61629875 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 62099136 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 62570773 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 63044792 é 猫 👩‍👧 \u0000 \" \\ \n  Bilby 63521199 é 猫 👩‍👧 \u0000 \" \\ \n ","timestamp":2}', NULL, NULL),
	(111, 3, 'user', '{"type":"user","content":"After the large one","timestamp":3}', '\x8dd8c429f56aeaccae1c540f78a366e07f80c0a73bb128291b6bca3ba349abc9', NULL),
	(115, 1, 'user', '{"type":"user","content":"Before the lease","timestamp":1}', NULL, '2a8b6768-d735-4c85-92e1-9f95281ea001'),
	(116, 1, 'user', '{"type":"user","content":"A first message","timestamp":1}', NULL, 'b734561f-8342-4851-a9f3-6b80b08618d5'),
	(116, 2, 'record', '{"type":"record","kind":"title","data":{"text":"A name �"},"timestamp":2}', NULL, 'aa67ed1d-020b-426c-82cd-dd2b63ffa83f'),
	(107, 19, 'user', '{"type":"user","content":"Once more","timestamp":5}', '\x84408522360d39b06e44a12e4baf784e3188ed8c1249088b02efd90b4b659ce4', NULL),
	(3, 2, 'user', '{"type":"user","content":"Once more, without a name","timestamp":5}', NULL, 'bb2f2a50-41bb-4f69-b1c3-a526ff643115'),
	(117, 1, 'user', '{"type":"user","content":"Taken","timestamp":1}', NULL, '107f0ab5-44f2-4bfb-8b73-71323bc2c691');

INSERT INTO cogency.inbox OVERRIDING SYSTEM VALUE VALUES
	(117, '\x2f918b713437fc7bd85eb34e4e8a5b4e9f9787fb67898da849983286e2752e94', '\x76847584d9e2211a3406ae9ad7029e174762a950d9333e9fde7fae2b0e37ca3f', 1, NULL, NULL, 1795940603775.326, 1795940603775.326, false),
	(117, '\x1d576f473e30e1b5828ea271d2a25598d6c7db12c47112c1ade052e2a6293fac', '\x711c2898fc1343738b425a0bef7b624c50fb0a670434808405c049068a1fa1c8', 2, '"m"', '{"content":"Wait \u0000 �","kind":"prompt"}', 1795940603793.293, 1795940603793.293, false),
	(117, '\x5aed3fc20b94c55cc456c52ec6be1b110dc792a80412608f32ee27501dbaf2f0', '\x7e4f348977dd47e742131e604a0f2286b0127054547fd59f72fac0bc7a96fa2e', 3, '"m\u0000"', '{"from":"grace","kind":"cancel"}', 1795940603793.959, 1795940603793.959, false),
	(117, '\x03fa3c711c3abd7a72387c2b602c3ac99332afadaf0c401b57c520ba83b19809', '\x129b2a383d1e8632edce881058f49fd55f840d92c968868d0cf132a17309e349', 4, '"later"', '{"content":{"deep":[null,1]},"kind":"answer","question":"q"}', 1795940603794.552, 7258118400000, false),
	(107, '\x1d576f473e30e1b5828ea271d2a25598d6c7db12c47112c1ade052e2a6293fac', '\xabdc81eba9121c2f560c6d61a731cb8959a039d0a559d1ec201189c310bd4339', 5, '"m"', '{"content":"Not taken","kind":"steer"}', 1795940603795.0708, 1795940603795.0708, false);

INSERT INTO cogency.live_key VALUES
	('\xe710fcd6bfa1b4081ab9c5770710de411ab4001076f22962010e978c3f4ffa18');

INSERT INTO cogency.passages VALUES
	(111, 1, 0, false, '''@bsiy9n2xvAVoWzD_l2S4msKDP-Dq9B628tBs0fsGQyU'' ''before'' ''large'' ''one'' ''the'''),
	(111, 2, 0, false, '''0'' ''1'' ''1000'' ''1000000'' ''10077696'' ''10218313'' ''1030301'' ''10360232'' ''103823'' ''10503459'' ''1061208'' ''10648'' ''10648000'' ''10793861'' ''1092727'' ''10941048'' ''110592'' ''11089567'' ''11239424'' ''1124864'' ''11390625'' ''11543176'' ''1157625'' ''11697083'' ''117649'' ''11852352'' ''1191016'' ''12008989'' ''12167'' ''12167000'' ''1225043'' ''12326391'' ''12487168'' ''125'' ''125000'' ''1259712'' ''12649337'' ''12812904'' ''1295029'' ''12977875'' ''13144256'' ''132651'' ''1331'' ''1331000'' ''13312053'' ''13481272'' ''13651919'' ''1367631'' ''13824'' ''13824000'' ''13997521'' ''1404928'' ''140608'' ''14172488'' ''14348907'' ''1442897'' ''14526784'' ''14706125'' ''1481544'' ''14886936'' ''148877'' ''15069223'' ''1520875'' ''15252992'' ''15438249'' ''1560896'' ''15625'' ''15625000'' ''157464'' ''15813251'' ''16003008'' ''1601613'' ''16194277'' ''16387064'' ''1643032'' ''16581375'' ''166375'' ''16777216'' ''1685159'' ''16974593'' ''17173512'' ''1728'' ''1728000'' ''17373979'' ''175616'' ''17576'' ''17576000'' ''1771561'' ''17779581'' ''17984728'' ''1815848'' ''18191447'' ''18399744'' ''185193'' ''1860867'' ''18609625'' ''18821096'' ''19034163'' ''1906624'' ''19248832'' ''19465109'' ''195112'' ''1953125'' ''19683'' ''19683000'' ''19902511'' ''2000376'' ''20123648'' ''20346417'' ''2048383'' ''205379'' ''20570824'' ''20796875'' ''2097152'' ''21024576'' ''21253933'' ''2146689'' ''21484952'' ''216'' ''216000'' ''21717639'' ''21952'' ''21952000'' ''2197'' ''2197000'' ''22188041'' ''22425768'' ''2248091'' ''22665187'' ''226981'' ''22906304'' ''2299968'' ''23149125'' ''23393656'' ''2352637'' ''23639903'' ''238328'' ''23887872'' ''2406104'' ''24137569'' ''24389'' ''24389000'' ''2460375'' ''24642171'' ''24897088'' ''250047'' ''25153757'' ''2515456'' ''25412184'' ''25672375'' ''2571353'' ''25934336'' ''26198073'' ''262144'' ''2628072'' ''26463592'' ''26730899'' ''2685619'' ''27'' ''27000'' ''27000000'' ''27270901'' ''2744'' ''2744000'' ''274625'' ''27543608'' ''27818127'' ''2803221'' ''28094464'' ''28372625'' ''2863288'' ''28652616'' ''287496'' ''28934443'' ''29218112'' ''2924207'' ''29503629'' ''29791'' ''29791000'' ''2985984'' ''300763'' ''30080231'' ''30371328'' ''3048625'' ''30664297'' ''30959144'' ''3112136'' ''31255875'' ''314432'' ''31554496'' ''3176523'' ''31855013'' ''32157432'' ''3241792'' ''32461759'' ''32768'' ''32768000'' ''328509'' ''33076161'' ''3307949'' ''33386248'' ''33698267'' ''3375'' ''3375000'' ''34012224'' ''343'' ''343000'' ''34328125'' ''3442951'' ''34645976'' ''34965783'' ''3511808'' ''35287552'' ''35611289'' ''357911'' ''3581577'' ''35937'' ''35937000'' ''36264691'' ''3652264'' ''36594368'' ''36926037'' ''3723875'' ''37259704'' ''373248'' ''37595375'' ''37933056'' ''3796416'' ''38272753'' ''38614472'' ''3869893'' ''389017'' ''38958219'' ''39304'' ''39304000'' ''3944312'' ''39651821'' ''40001688'' ''4019679'' ''40353607'' ''405224'' ''40707584'' ''4096'' ''4096000'' ''41063625'' ''41421736'' ''4173281'' ''41781923'' ''42144192'' ''421875'' ''42508549'' ''4251528'' ''42875'' ''42875000'' ''43243551'' ''4330747'' ''43614208'' ''438976'' ''43986977'' ''4410944'' ''44361864'' ''44738875'' ''4492125'' ''45118016'' ''45499293'' ''456533'' ''4574296'' ''45882712'' ''46268279'' ''4657463'' ''46656'' ''46656000'' ''47045881'' ''4741632'' ''47437928'' ''474552'' ''47832147'' ''48228544'' ''4826809'' ''48627125'' ''49027896'' ''4913'' ''4913000'' ''493039'' ''49430863'' ''49836032'' ''5000211'' ''50243409'' ''50653'' ''50653000'' ''5088448'' ''51064811'' ''512'' ''512000'' ''51478848'' ''5177717'' ''51895117'' ''52313624'' ''5268024'' ''52734375'' ''531441'' ''53157376'' ''53582633'' ''5359375'' ''54010152'' ''54439939'' ''5451776'' ''54872'' ''54872000'' ''551368'' ''55306341'' ''5545233'' ''55742968'' ''56181887'' ''5639752'' ''56623104'' ''57066625'' ''571787'' ''5735339'' ''57512456'' ''57960603'' ''5832'' ''5832000'' ''58411072'' ''58863869'' ''592704'' ''5929741'' ''59319'' ''59319000'' ''59776471'' ''60236288'' ''6028568'' ''60698457'' ''61162984'' ''6128487'' ''614125'' ''61629875'' ''62099136'' ''6229504'' ''62570773'' ''63044792'' ''6331625'' ''63521199'' ''636056'' ''64'' ''64000'' ''6434856'' ''6539203'' ''658503'' ''6644672'' ''6751269'' ''681472'' ''6859'' ''6859000'' ''68921'' ''6967871'' ''704969'' ''7077888'' ''7189057'' ''729'' ''729000'' ''7301384'' ''74088'' ''7414875'' ''7529536'' ''753571'' ''7645373'' ''7762392'' ''778688'' ''7880599'' ''79507'' ''8'' ''8000'' ''8000000'' ''804357'' ''8120601'' ''8242408'' ''830584'' ''8365427'' ''8489664'' ''85184'' ''857375'' ''8615125'' ''8741816'' ''884736'' ''8869743'' ''8998912'' ''91125'' ''912673'' ''9129329'' ''9261'' ''9261000'' ''9393931'' ''941192'' ''9528128'' ''9663597'' ''970299'' ''97336'' ''9800344'' ''9938375'' ''@bsiy9n2xvAVoWzD_l2S4msKDP-Dq9B628tBs0fsGQyU'' ''bilby'' ''e'' ''猫'''),
	(111, 3, 0, false, '''@bsiy9n2xvAVoWzD_l2S4msKDP-Dq9B628tBs0fsGQyU'' ''after'' ''large'' ''one'' ''the'''),
	(107, 1, 0, false, '''@mCwvnnHfNUUlpsPGD-X2PL9iS1n7lTniZ_Wtk1xhlhM'' ''in'' ''is'' ''main'' ''py'' ''what'''),
	(107, 8, 0, true, '''@mCwvnnHfNUUlpsPGD-X2PL9iS1n7lTniZ_Wtk1xhlhM'' ''bandicoot'' ''execute'' ''print'''),
	(107, 10, 0, false, '''@mCwvnnHfNUUlpsPGD-X2PL9iS1n7lTniZ_Wtk1xhlhM'' ''a'' ''it'' ''line'' ''prints'''),
	(107, 19, 0, false, '''@mCwvnnHfNUUlpsPGD-X2PL9iS1n7lTniZ_Wtk1xhlhM'' ''more'' ''once'''),
	(108, 1, 0, false, '''0'' ''@mCwvnnHfNUUlpsPGD-X2PL9iS1n7lTniZ_Wtk1xhlhM'' ''batch'' ''place'''),
	(108, 2, 0, false, '''0'' ''1'' ''@mCwvnnHfNUUlpsPGD-X2PL9iS1n7lTniZ_Wtk1xhlhM'' ''batch'' ''place'''),
	(108, 3, 0, false, '''1'' ''@mCwvnnHfNUUlpsPGD-X2PL9iS1n7lTniZ_Wtk1xhlhM'' ''batch'' ''place'''),
	(108, 4, 0, false, '''0'' ''2'' ''@mCwvnnHfNUUlpsPGD-X2PL9iS1n7lTniZ_Wtk1xhlhM'' ''batch'' ''place'''),
	(108, 5, 0, false, '''1'' ''2'' ''@mCwvnnHfNUUlpsPGD-X2PL9iS1n7lTniZ_Wtk1xhlhM'' ''batch'' ''place'''),
	(108, 6, 0, false, '''2'' ''@mCwvnnHfNUUlpsPGD-X2PL9iS1n7lTniZ_Wtk1xhlhM'' ''batch'' ''place'''),
	(108, 7, 0, false, '''0'' ''3'' ''@mCwvnnHfNUUlpsPGD-X2PL9iS1n7lTniZ_Wtk1xhlhM'' ''batch'' ''place'''),
	(108, 8, 0, false, '''0'' ''4'' ''@mCwvnnHfNUUlpsPGD-X2PL9iS1n7lTniZ_Wtk1xhlhM'' ''batch'' ''place'''),
	(108, 9, 0, false, '''1'' ''4'' ''@mCwvnnHfNUUlpsPGD-X2PL9iS1n7lTniZ_Wtk1xhlhM'' ''batch'' ''place'''),
	(108, 10, 0, false, '''0'' ''5'' ''@mCwvnnHfNUUlpsPGD-X2PL9iS1n7lTniZ_Wtk1xhlhM'' ''batch'' ''place'''),
	(108, 11, 0, false, '''1'' ''5'' ''@mCwvnnHfNUUlpsPGD-X2PL9iS1n7lTniZ_Wtk1xhlhM'' ''batch'' ''place'''),
	(108, 12, 0, false, '''2'' ''5'' ''@mCwvnnHfNUUlpsPGD-X2PL9iS1n7lTniZ_Wtk1xhlhM'' ''batch'' ''place'''),
	(108, 13, 0, false, '''0'' ''6'' ''@mCwvnnHfNUUlpsPGD-X2PL9iS1n7lTniZ_Wtk1xhlhM'' ''batch'' ''place'''),
	(108, 14, 0, false, '''0'' ''7'' ''@mCwvnnHfNUUlpsPGD-X2PL9iS1n7lTniZ_Wtk1xhlhM'' ''batch'' ''place'''),
	(108, 15, 0, false, '''1'' ''7'' ''@mCwvnnHfNUUlpsPGD-X2PL9iS1n7lTniZ_Wtk1xhlhM'' ''batch'' ''place'''),
	(108, 16, 0, false, '''0'' ''8'' ''@mCwvnnHfNUUlpsPGD-X2PL9iS1n7lTniZ_Wtk1xhlhM'' ''batch'' ''place'''),
	(108, 17, 0, false, '''1'' ''8'' ''@mCwvnnHfNUUlpsPGD-X2PL9iS1n7lTniZ_Wtk1xhlhM'' ''batch'' ''place'''),
	(108, 18, 0, false, '''2'' ''8'' ''@mCwvnnHfNUUlpsPGD-X2PL9iS1n7lTniZ_Wtk1xhlhM'' ''batch'' ''place'''),
	(108, 19, 0, false, '''0'' ''9'' ''@mCwvnnHfNUUlpsPGD-X2PL9iS1n7lTniZ_Wtk1xhlhM'' ''batch'' ''place'''),
	(108, 20, 0, false, '''0'' ''10'' ''@mCwvnnHfNUUlpsPGD-X2PL9iS1n7lTniZ_Wtk1xhlhM'' ''batch'' ''place'''),
	(108, 21, 0, false, '''1'' ''10'' ''@mCwvnnHfNUUlpsPGD-X2PL9iS1n7lTniZ_Wtk1xhlhM'' ''batch'' ''place'''),
	(110, 1, 0, false, '''0'' ''@mCwvnnHfNUUlpsPGD-X2PL9iS1n7lTniZ_Wtk1xhlhM'' ''backwards'''),
	(110, 2, 0, false, '''1'' ''@mCwvnnHfNUUlpsPGD-X2PL9iS1n7lTniZ_Wtk1xhlhM'' ''backwards'''),
	(110, 3, 0, false, '''2'' ''@mCwvnnHfNUUlpsPGD-X2PL9iS1n7lTniZ_Wtk1xhlhM'' ''backwards'''),
	(110, 4, 0, false, '''3'' ''@mCwvnnHfNUUlpsPGD-X2PL9iS1n7lTniZ_Wtk1xhlhM'' ''backwards'''),
	(110, 5, 0, false, '''4'' ''@mCwvnnHfNUUlpsPGD-X2PL9iS1n7lTniZ_Wtk1xhlhM'' ''backwards'''),
	(110, 6, 0, false, '''5'' ''@mCwvnnHfNUUlpsPGD-X2PL9iS1n7lTniZ_Wtk1xhlhM'' ''backwards'''),
	(110, 7, 0, false, '''6'' ''@mCwvnnHfNUUlpsPGD-X2PL9iS1n7lTniZ_Wtk1xhlhM'' ''backwards'''),
	(115, 1, 0, false, '''@mCwvnnHfNUUlpsPGD-X2PL9iS1n7lTniZ_Wtk1xhlhM'' ''before'' ''lease'' ''the'''),
	(116, 1, 0, false, '''@mCwvnnHfNUUlpsPGD-X2PL9iS1n7lTniZ_Wtk1xhlhM'' ''a'' ''first'' ''message''');

INSERT INTO cogency.profiles OVERRIDING SYSTEM VALUE VALUES
	(1, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', 'null', '{"name":"nobody"}', 1, '{2b66d880-a610-4c1a-80f5-ba9ff0d11fa7}'),
	(2, '\x12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126', '""', 'null', 1, '{c69407e0-90e2-4a12-8b35-f7b7afdd160a}'),
	(3, '\x982c2f9e71df354525a6c3c60fe5f63cbf624b59fb9539e267f5ad935c619613', '"ada"', '{"likes":["tea","�","\u0000"]}', 2, '{e1ec4d2f-5a24-415f-9473-a2be1a7ec9d7,3e224d4f-5d09-402d-a281-8f7e9bb8af21}');

INSERT INTO cogency.timers VALUES
	(119, '\xbce476de89d36bfe96582422210844d64e260f45903a6ef31fa88f2d68fb07dd', '"timer:t \u0000"', 7258118400000);

INSERT INTO cogency.wakes VALUES
	(115, '\x982c2f9e71df354525a6c3c60fe5f63cbf624b59fb9539e267f5ad935c619613', '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, 4949540603771.896, NULL, NULL, '{}', NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, DEFAULT),
	(118, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', '\x119cc5032e13fa6e0db878d8576ddef87a89036d5cae3202b405d1b3ef73d2af', NULL, NULL, NULL, NULL, '{"\"timer:parked\""}', NULL, 1, NULL, NULL, NULL, NULL, '"because \u0000 é"', 1795940603792.264, DEFAULT),
	(117, '\x982c2f9e71df354525a6c3c60fe5f63cbf624b59fb9539e267f5ad935c619613', '\x119cc5032e13fa6e0db878d8576ddef87a89036d5cae3202b405d1b3ef73d2af', 1795940603793.293, NULL, NULL, NULL, '{}', NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, DEFAULT),
	(107, '\x982c2f9e71df354525a6c3c60fe5f63cbf624b59fb9539e267f5ad935c619613', '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', 1795940603795.0708, NULL, NULL, NULL, '{}', NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, DEFAULT),
	(119, '\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', '\x119cc5032e13fa6e0db878d8576ddef87a89036d5cae3202b405d1b3ef73d2af', NULL, NULL, NULL, 7258118400000, '{}', NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, DEFAULT);

SELECT pg_catalog.setval('cogency.claim_tokens', 1, true);

SELECT pg_catalog.setval('cogency.conversations_id_seq', 119, true);

SELECT pg_catalog.setval('cogency.holder_ids', 1, false);

SELECT pg_catalog.setval('cogency.inbox_seq_seq', 5, true);

SELECT pg_catalog.setval('cogency.lease_tokens', 1, true);

SELECT pg_catalog.setval('cogency.positions', 119, true);

SELECT pg_catalog.setval('cogency.profiles_id_seq', 3, true);

ALTER TABLE ONLY cogency.conversations
    ADD CONSTRAINT conversations_key_key UNIQUE (key);

ALTER TABLE ONLY cogency.conversations
    ADD CONSTRAINT conversations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY cogency.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (conversation, seq);

ALTER TABLE ONLY cogency.holders
    ADD CONSTRAINT holders_pkey PRIMARY KEY (id);

ALTER TABLE ONLY cogency.inbox
    ADD CONSTRAINT inbox_pkey PRIMARY KEY (conversation, id_key);

ALTER TABLE ONLY cogency.passages
    ADD CONSTRAINT passages_pkey PRIMARY KEY (conversation, seq, part);

ALTER TABLE ONLY cogency.profiles
    ADD CONSTRAINT profiles_pkey PRIMARY KEY (id);

ALTER TABLE ONLY cogency.profiles
    ADD CONSTRAINT profiles_user_key_key UNIQUE (user_key);

ALTER TABLE ONLY cogency.slots
    ADD CONSTRAINT slots_pkey PRIMARY KEY (id);

ALTER TABLE ONLY cogency.timers
    ADD CONSTRAINT timers_pkey PRIMARY KEY (conversation, id_key);

ALTER TABLE ONLY cogency.wakes
    ADD CONSTRAINT wakes_pkey PRIMARY KEY (conversation);

CREATE INDEX conversations_position ON cogency.conversations USING btree (user_key, "position");

CREATE INDEX conversations_unindexed ON cogency.conversations USING btree (user_key) WHERE is_unindexed;

CREATE UNIQUE INDEX events_batch ON cogency.events USING btree (conversation, batch) WHERE (batch IS NOT NULL);

CREATE INDEX inbox_unread ON cogency.inbox USING btree (conversation, seq) WHERE (message IS NOT NULL);

CREATE INDEX passages_words ON cogency.passages USING gin (words);

CREATE INDEX slots_name ON cogency.slots USING btree (name_key);

CREATE INDEX wakes_claimed ON cogency.wakes USING btree (user_key) WHERE (claim_token IS NOT NULL);

CREATE INDEX wakes_due ON cogency.wakes USING btree (scope, due) WHERE (due IS NOT NULL);

CREATE INDEX wakes_parked ON cogency.wakes USING btree (scope, parked_at) WHERE (parked IS NOT NULL);

CREATE INDEX wakes_user ON cogency.wakes USING btree (scope, user_key, due) WHERE (due IS NOT NULL);

import { bodyQuote, quoteIdentifier, quoteLiteral } from "../database/quote.ts";
import { conversationUpdate } from "../rows/conversation-update.ts";

/**
 * The functions of the database, for work that reads and then writes under one lock: an append is one round trip, and
 * no lock waits for the network. Each statement of a function sees everything that was committed before it (`READ
 * COMMITTED`), so reads after the row lock are current. The functions run with the rights of their caller.
 */
export function functions(schema: string): string {
  const name = quoteIdentifier(schema);
  const body = bodyQuote(name);
  const update = conversationUpdate(name, {
    added: "added",
    title: "p_title",
    createdAt: "p_created_at",
    updatedAt: "p_updated_at",
  });
  const token = `nextval(${quoteLiteral(`${name}.lease_tokens`)})`;

  return `-- p_types and p_events have one value per line: JSON text contains no line break.
-- Returns the outcome: 'stored' with the last number, 'conflict' with the actual one, 'held' with owner and end, 'lost',
-- or 'absent' with the place in p_takes of a message that is not in the inbox.
CREATE OR REPLACE FUNCTION ${name}.append_batch(
  p_key bytea, p_user_name text, p_name text, p_types text, p_events text,
  p_title text, p_created_at double precision, p_updated_at double precision, p_expected double precision,
  p_token double precision, p_batch bytea, p_attempt uuid, p_is_retry boolean,
  p_takes bytea[], p_scope bytea,
  OUT outcome text, OUT result bigint, OUT owner text, OUT ends double precision
) LANGUAGE plpgsql AS ${body}
DECLARE
  log ${name}.conversations;
  texts text[] := string_to_array(p_events, E'\\n');
  added bigint := cardinality(texts);
  is_held boolean;
  due_at double precision;
BEGIN
  outcome := 'stored';
  LOOP
    SELECT * INTO log FROM ${name}.conversations c WHERE c.key = p_key FOR NO KEY UPDATE;
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
    INSERT INTO ${name}.conversations (key, user_key, user_name, name)
      VALUES (p_key, sha256(convert_to(p_user_name, 'UTF8')), p_user_name, p_name)
      ON CONFLICT (key) DO NOTHING RETURNING * INTO log;
    EXIT WHEN FOUND;
  END LOOP;

  IF p_batch IS NOT NULL THEN
    SELECT e.seq INTO result FROM ${name}.events e WHERE e.conversation = log.id AND e.batch = p_batch;
    IF FOUND THEN RETURN; END IF;
  ELSIF p_is_retry OR p_attempt = ANY (log.retried) THEN
    SELECT e.seq INTO result FROM ${name}.events e WHERE e.conversation = log.id AND e.attempt = p_attempt;
    IF FOUND THEN RETURN; END IF;
    UPDATE ${name}.conversations c
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
      WHERE u.id_key = ANY (p_takes[:n - 1]) OR NOT EXISTS (SELECT FROM ${name}.inbox i WHERE i.conversation = log.id
        AND i.id_key = u.id_key AND i.message IS NOT NULL
        AND (i.at = i.posted_at OR i.at <= date_part('epoch', clock_timestamp()) * 1000))
      ORDER BY n LIMIT 1;
    IF FOUND THEN
      outcome := 'absent';
      RETURN;
    END IF;
    -- A claim locks in this order, too.
    SELECT w.inbox_at INTO due_at FROM ${name}.wakes w WHERE w.conversation = log.id FOR UPDATE;
    UPDATE ${name}.inbox i SET id = NULL, message = NULL WHERE i.conversation = log.id AND i.id_key = ANY (p_takes);
    IF due_at IS NOT NULL THEN
      UPDATE ${name}.wakes w SET inbox_at = (SELECT min(i.at) FROM ${name}.inbox i
        WHERE i.conversation = log.id AND i.message IS NOT NULL AND NOT i.is_seen) WHERE w.conversation = log.id;
      DELETE FROM ${name}.wakes w WHERE w.conversation = log.id AND w.due IS NULL AND w.parked IS NULL;
    END IF;
  END IF;
  IF log.scope IS NULL THEN
    UPDATE ${name}.wakes w SET scope = p_scope WHERE w.conversation = log.id;
  END IF;

  result := log.events + added;
  UPDATE ${name}.conversations c SET
    ${update},
    scope = coalesce(c.scope, p_scope)
    WHERE c.id = log.id;
  INSERT INTO ${name}.events (conversation, seq, type, event, batch, attempt)
    SELECT log.id, log.events + n, type, event,
      CASE WHEN n = added THEN p_batch END, CASE WHEN n = added THEN p_attempt END
    FROM unnest(string_to_array(p_types, E'\\n'), texts) WITH ORDINALITY AS u (type, event, n);
END ${body};

-- Deletes a conversation with everything that belongs to it. Returns whether it was written.
CREATE OR REPLACE FUNCTION ${name}.delete_conversation(p_id bigint, OUT had_events boolean) LANGUAGE plpgsql AS ${body}
BEGIN
  DELETE FROM ${name}.conversations c WHERE c.id = p_id RETURNING c.events > 0 OR c.scope IS NOT NULL INTO had_events;
  DELETE FROM ${name}.events e WHERE e.conversation = p_id;
  DELETE FROM ${name}.passages p WHERE p.conversation = p_id;
  DELETE FROM ${name}.wakes w WHERE w.conversation = p_id;
  DELETE FROM ${name}.timers t WHERE t.conversation = p_id;
  DELETE FROM ${name}.inbox i WHERE i.conversation = p_id;
END ${body};

-- Grants a lease, whose end makes the conversation due unless it is released. Without a token another owner holds it, and
-- the function returns that owner and the end.
CREATE OR REPLACE FUNCTION ${name}.grant_lease(
  p_key bytea, p_user_name text, p_name text, p_owner text, p_ttl double precision, p_holder integer,
  OUT token bigint, OUT owner text, OUT ends double precision
) LANGUAGE plpgsql AS ${body}
DECLARE
  log ${name}.conversations;
  now_ms double precision;
BEGIN
  LOOP
    SELECT * INTO log FROM ${name}.conversations c WHERE c.key = p_key FOR NO KEY UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO ${name}.conversations (key, user_key, user_name, name)
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
  token := ${token};
  owner := p_owner;
  ends := now_ms + p_ttl;
  UPDATE ${name}.conversations c SET lease_owner = owner, lease_token = token, lease_ends = ends WHERE c.id = log.id;
  INSERT INTO ${name}.wakes AS w (conversation, user_key, scope, lease_at, lease_holder)
    VALUES (log.id, log.user_key, log.scope, ends, p_holder)
    ON CONFLICT (conversation) DO UPDATE SET lease_at = excluded.lease_at, lease_holder = excluded.lease_holder;
END ${body};

-- Ends a lease, and the defer of its conversation; returns whether that was deferred. After the time of the lease its
-- conversation stays due.
CREATE OR REPLACE FUNCTION ${name}.end_lease(p_key bytea, p_token bigint, OUT was_deferred boolean) LANGUAGE plpgsql AS ${body}
DECLARE
  log ${name}.conversations;
  now_ms double precision;
BEGIN
  was_deferred := false;
  SELECT * INTO log FROM ${name}.conversations c WHERE c.key = p_key AND c.lease_token = p_token FOR NO KEY UPDATE;
  now_ms := date_part('epoch', clock_timestamp()) * 1000;
  IF log.events = 0 AND log.scope IS NULL THEN
    DELETE FROM ${name}.wakes w WHERE w.conversation = log.id;
    DELETE FROM ${name}.conversations c WHERE c.id = log.id;
  ELSIF log.lease_ends > now_ms THEN
    UPDATE ${name}.conversations c SET lease_owner = NULL, lease_token = NULL, lease_ends = NULL WHERE c.id = log.id;
    DELETE FROM ${name}.wakes w WHERE w.conversation = log.id AND w.claim_token IS NULL AND w.parked IS NULL
      AND coalesce(w.inbox_at, w.timer_at, w.held_at) IS NULL;
    IF NOT FOUND THEN
      UPDATE ${name}.wakes w SET lease_at = NULL, lease_holder = NULL,
        held_at = CASE WHEN w.held_at IS NOT NULL THEN least(w.held_at, now_ms) END
        WHERE w.conversation = log.id RETURNING w.held_at IS NOT NULL INTO was_deferred;
    END IF;
  END IF;
END ${body};

-- Returns the new version, or the actual one of a conflict. Keeps the last attempts: a repeated one saves nothing.
CREATE OR REPLACE FUNCTION ${name}.save_profile(
  p_user_key bytea, p_user_name text, p_profile text, p_expected double precision, p_attempt uuid,
  OUT is_saved boolean, OUT result bigint
) LANGUAGE plpgsql AS ${body}
DECLARE
  saved ${name}.profiles;
  place integer;
BEGIN
  LOOP
    SELECT * INTO saved FROM ${name}.profiles p WHERE p.user_key = p_user_key FOR NO KEY UPDATE;
    EXIT WHEN FOUND;
    is_saved := coalesce(p_expected = 0, true);
    result := 0;
    IF NOT is_saved THEN RETURN; END IF;
    INSERT INTO ${name}.profiles (user_key, user_name, profile, version, attempts)
      VALUES (p_user_key, p_user_name, p_profile, 1, ARRAY[p_attempt])
      ON CONFLICT (user_key) DO NOTHING RETURNING version INTO result;
    IF FOUND THEN RETURN; END IF;
  END LOOP;
  place := array_position(saved.attempts, p_attempt);
  is_saved := place IS NOT NULL OR coalesce(p_expected = saved.version, true);
  result := saved.version - coalesce(place - 1, 0);
  IF place IS NOT NULL OR NOT is_saved THEN RETURN; END IF;
  result := saved.version + 1;
  UPDATE ${name}.profiles p
    SET profile = p_profile, version = result, attempts = (p_attempt || saved.attempts)[1:100] WHERE p.id = saved.id;
END ${body};`;
}

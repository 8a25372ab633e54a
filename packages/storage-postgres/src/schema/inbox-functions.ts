import { bodyQuote, quoteIdentifier } from "../database/quote.ts";

/** The functions for messages and timers. Both make a conversation due, and may be its first write. */
export function inboxFunctions(schema: string): string {
  const name = quoteIdentifier(schema);
  const body = bodyQuote(name);

  return `-- Finds or creates a conversation, fixes its scope, and keeps it from being deleted until the end of the transaction.
CREATE OR REPLACE FUNCTION ${name}.conversation_of(
  p_key bytea, p_user_name text, p_name text, p_scope bytea, OUT id bigint, OUT user_key bytea, OUT scope bytea
) LANGUAGE plpgsql AS ${body}
BEGIN
  LOOP
    SELECT c.id, c.user_key, c.scope INTO id, user_key, scope FROM ${name}.conversations c WHERE c.key = p_key FOR KEY SHARE;
    EXIT WHEN FOUND;
    INSERT INTO ${name}.conversations AS c (key, user_key, user_name, name, scope)
      VALUES (p_key, sha256(convert_to(p_user_name, 'UTF8')), p_user_name, p_name, p_scope)
      ON CONFLICT (key) DO NOTHING RETURNING c.id, c.user_key, c.scope INTO id, user_key, scope;
    EXIT WHEN FOUND;
  END LOOP;
  IF scope IS NULL THEN
    UPDATE ${name}.conversations c SET scope = coalesce(c.scope, p_scope) WHERE c.key = p_key RETURNING c.scope INTO scope;
    UPDATE ${name}.wakes w SET scope = conversation_of.scope WHERE w.conversation = conversation_of.id;
  END IF;
END ${body};

-- Puts a message into an inbox. Returns 'posted', 'known' for one that was posted before, or 'used' for the id of another.
CREATE OR REPLACE FUNCTION ${name}.post(
  p_key bytea, p_user_name text, p_name text, p_scope bytea, p_id_key bytea, p_id text, p_message text, p_hash bytea,
  p_at double precision, OUT outcome text
) LANGUAGE plpgsql AS ${body}
DECLARE
  log record;
  now_ms double precision;
  due_at double precision;
  known bytea;
BEGIN
  log := ${name}.conversation_of(p_key, p_user_name, p_name, p_scope);
  now_ms := date_part('epoch', clock_timestamp()) * 1000;
  due_at := greatest(now_ms, p_at);
  INSERT INTO ${name}.inbox (conversation, id_key, hash, id, message, posted_at, at)
    VALUES (log.id, p_id_key, p_hash, p_id, p_message, now_ms, due_at)
    ON CONFLICT (conversation, id_key) DO NOTHING;
  IF NOT FOUND THEN
    SELECT hash INTO known FROM ${name}.inbox i WHERE i.conversation = log.id AND i.id_key = p_id_key;
    outcome := CASE WHEN known = p_hash THEN 'known' ELSE 'used' END;
    RETURN;
  END IF;
  INSERT INTO ${name}.wakes AS w (conversation, user_key, scope, inbox_at)
    VALUES (log.id, log.user_key, log.scope, due_at)
    ON CONFLICT (conversation) DO UPDATE SET inbox_at = least(w.inbox_at, excluded.inbox_at);
  outcome := 'posted';
END ${body};

-- Sets a timer. The row of the conversation in wakes is locked first, so timer_at is that of the earliest timer.
CREATE OR REPLACE FUNCTION ${name}.wake(
  p_key bytea, p_user_name text, p_name text, p_scope bytea, p_id_key bytea, p_reason text, p_at double precision
) RETURNS void LANGUAGE plpgsql AS ${body}
DECLARE
  log record;
BEGIN
  log := ${name}.conversation_of(p_key, p_user_name, p_name, p_scope);
  INSERT INTO ${name}.wakes AS w (conversation, user_key, scope) VALUES (log.id, log.user_key, log.scope)
    ON CONFLICT (conversation) DO UPDATE SET scope = w.scope;
  INSERT INTO ${name}.timers (conversation, id_key, reason, at) VALUES (log.id, p_id_key, p_reason, p_at)
    ON CONFLICT (conversation, id_key) DO UPDATE SET at = excluded.at;
  UPDATE ${name}.wakes w SET timer_at = (SELECT min(t.at) FROM ${name}.timers t WHERE t.conversation = log.id)
    WHERE w.conversation = log.id;
END ${body};`;
}

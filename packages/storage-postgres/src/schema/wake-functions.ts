import { bodyQuote, quoteIdentifier, quoteLiteral } from "../database/quote.ts";

/**
 * The functions for claims. They lock rows of `wakes` and then those of `inbox`, and never wait for a row of
 * `conversations`; all other functions lock that one first.
 */
export function wakeFunctions(schema: string): string {
  const name = quoteIdentifier(schema);
  const body = bodyQuote(name);
  const token = `nextval(${quoteLiteral(`${name}.claim_tokens`)})`;
  const now = "date_part('epoch', clock_timestamp()) * 1000";

  return `-- Claims conversations: those of a user in the order in which they became due, users in turn. Looks at the ${window} that
-- are due for the longest time. If there are more, also at the first ${ofUser} of each of ${someUsers} users, others with each call.
CREATE OR REPLACE FUNCTION ${name}.claim(
  p_scope bytea, p_owner text, p_limit double precision, p_ttl double precision, p_per_user double precision,
  p_holder integer,
  OUT user_name text, OUT name text, OUT token bigint, OUT reasons text, OUT attempts integer,
  OUT claimed_at double precision, OUT ends double precision
) RETURNS SETOF record LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS ${body}
DECLARE
  claimed bigint := 0;
  before bigint;
  is_complete boolean;
  is_due boolean;
  next_one bigint;
  user_start bytea;
  lease_end double precision;
  w ${name}.wakes;
BEGIN
  -- Otherwise two claims at once could exceed the number together.
  IF p_per_user IS NOT NULL THEN
    PERFORM pg_advisory_xact_lock(hashtextextended(${quoteLiteral(`cogency claims ${schema}`)}, 0));
  END IF;
  claimed_at := ${now};
  user_start := sha256(convert_to(random()::text, 'UTF8'));
  LOOP
    is_complete := true;
    before := claimed;
    FOR next_one IN
      WITH RECURSIVE oldest AS MATERIALIZED (
        SELECT x.conversation, x.user_key, x.due FROM ${name}.wakes x
        WHERE x.scope = p_scope AND x.due <= claimed_at ORDER BY x.due LIMIT ${window}
      ), some_users AS (
        -- If that is not all: users in the order of their hashes, from a random one on.
        SELECT 0 AS place, user_start AS user_key WHERE (SELECT count(*) FROM oldest) = ${window}
        UNION ALL
        SELECT u.place + 1, coalesce(
          (SELECT x.user_key FROM ${name}.wakes x WHERE x.scope = p_scope AND x.user_key > u.user_key
            AND x.due <= claimed_at ORDER BY x.user_key LIMIT 1),
          (SELECT x.user_key FROM ${name}.wakes x WHERE x.scope = p_scope
            AND x.due <= claimed_at ORDER BY x.user_key LIMIT 1))
        FROM some_users u WHERE u.place < ${someUsers}
      ), candidates AS (
        SELECT o.conversation, o.user_key, o.due FROM oldest o
        UNION
        SELECT x.conversation, x.user_key, x.due FROM (SELECT DISTINCT u.user_key FROM some_users u) u, LATERAL (
          SELECT y.conversation, y.user_key, y.due FROM ${name}.wakes y
          WHERE y.scope = p_scope AND y.user_key = u.user_key AND y.due <= claimed_at ORDER BY y.due LIMIT ${ofUser}
        ) x
      ), claims AS (
        SELECT x.user_key, count(*) AS claims FROM ${name}.wakes x
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
      SELECT * INTO w FROM ${name}.wakes x WHERE x.conversation = next_one AND x.due <= claimed_at FOR UPDATE SKIP LOCKED;
      CONTINUE WHEN NOT FOUND;
      is_due := w.held_at <= claimed_at OR w.claim_token IS NOT NULL;
      IF w.lease_at <= claimed_at THEN
        SELECT c.lease_ends INTO lease_end FROM ${name}.conversations c WHERE c.id = next_one;
        w.lease_at := CASE WHEN lease_end > claimed_at THEN lease_end END;
        IF w.lease_at IS NULL THEN
          w.held := array_remove(w.held, '"lease"') || '"lease"'::text;
          is_due := true;
        END IF;
      END IF;
      IF w.inbox_at <= claimed_at THEN
        w.held := array_remove(w.held, '"inbox"') || '"inbox"'::text;
        is_due := true;
        UPDATE ${name}.inbox i SET is_seen = true
          WHERE i.conversation = next_one AND i.message IS NOT NULL AND NOT i.is_seen
            AND (i.at = i.posted_at OR i.at <= claimed_at);
        w.inbox_at := (SELECT min(i.at) FROM ${name}.inbox i
          WHERE i.conversation = next_one AND i.message IS NOT NULL AND NOT i.is_seen);
      END IF;
      IF w.timer_at <= claimed_at THEN
        WITH ended AS (
          DELETE FROM ${name}.timers t WHERE t.conversation = next_one AND t.at <= claimed_at RETURNING t.reason
        )
        SELECT array_agg(r.reason) INTO w.held FROM (SELECT unnest(w.held) AS reason UNION SELECT e.reason FROM ended e) r;
        is_due := true;
        w.timer_at := (SELECT min(t.at) FROM ${name}.timers t WHERE t.conversation = next_one);
      END IF;

      IF is_due IS NOT TRUE THEN
        -- The lease was renewed.
        is_complete := false;
        UPDATE ${name}.wakes x SET lease_at = w.lease_at WHERE x.conversation = next_one;
        CONTINUE;
      END IF;
      claimed := claimed + 1;
      token := ${token};
      attempts := w.attempts + 1;
      ends := claimed_at + p_ttl;
      reasons := array_to_string(w.held, E'\\n');
      UPDATE ${name}.wakes x SET inbox_at = w.inbox_at, lease_at = w.lease_at, timer_at = w.timer_at, held = w.held,
        held_at = NULL, attempts = claim.attempts, claim_token = token, claim_owner = p_owner,
        claim_holder = p_holder, claim_ends = ends
        WHERE x.conversation = next_one;
      SELECT c.user_name, c.name INTO user_name, name FROM ${name}.conversations c WHERE c.id = next_one;
      RETURN NEXT;
    END LOOP;
    EXIT WHEN claimed >= p_limit OR is_complete AND claimed - before < ${window};
  END LOOP;
END ${body};

-- Ends a claim: 'done', 'defer' to p_at, or 'park' for p_reason. Returns whether the claim stood.
CREATE OR REPLACE FUNCTION ${name}.settle_claim(
  p_key bytea, p_token bigint, p_ending text, p_at double precision, p_reason text, p_is_retry boolean, OUT stood boolean
) LANGUAGE plpgsql AS ${body}
DECLARE
  w ${name}.wakes;
  now_ms double precision;
BEGIN
  SELECT * INTO w FROM ${name}.wakes x
    WHERE x.conversation = (SELECT c.id FROM ${name}.conversations c WHERE c.key = p_key) FOR UPDATE;
  now_ms := ${now};
  IF w.claim_token IS DISTINCT FROM p_token OR w.claim_ends <= now_ms THEN
    -- Nobody has claimed the conversation since, so an earlier attempt has ended the claim.
    stood := p_is_retry AND w.claim_token IS NULL;
    RETURN;
  END IF;
  stood := true;
  IF p_ending = 'done' THEN
    w.inbox_at := (SELECT min(i.at) FROM ${name}.inbox i
      WHERE i.conversation = w.conversation AND i.message IS NOT NULL AND NOT i.is_seen);
    IF coalesce(w.inbox_at, w.lease_at, w.timer_at) IS NULL THEN
      DELETE FROM ${name}.wakes x WHERE x.conversation = w.conversation;
      RETURN;
    END IF;
    w.held := '{}';
  END IF;
  UPDATE ${name}.wakes x SET claim_token = NULL, claim_owner = NULL, claim_holder = NULL, claim_ends = NULL,
    inbox_at = w.inbox_at, held = w.held,
    held_at = CASE p_ending WHEN 'defer' THEN p_at END,
    attempts = CASE p_ending WHEN 'done' THEN 0 WHEN 'defer' THEN x.attempts - 1 ELSE x.attempts END,
    parked = p_reason, parked_at = CASE p_ending WHEN 'park' THEN now_ms END
    WHERE x.conversation = w.conversation;
END ${body};

-- Returns when the next conversation of a scope can be claimed, and the same for those after p_after. Moves lease_at of
-- leases that were renewed, up to p_until.
CREATE OR REPLACE FUNCTION ${name}.next_wake(
  p_scope bytea, p_after double precision, p_until double precision, OUT due double precision
) LANGUAGE plpgsql AS ${body}
DECLARE
  w ${name}.wakes;
  lease_end double precision;
BEGIN
  LOOP
    SELECT * INTO w FROM ${name}.wakes x WHERE x.scope = p_scope AND x.due > p_after ORDER BY x.due LIMIT 1;
    due := w.due;
    EXIT WHEN due IS NULL OR due > p_until OR w.claim_token IS NOT NULL OR w.lease_at IS DISTINCT FROM due;
    SELECT c.lease_ends INTO lease_end FROM ${name}.conversations c WHERE c.id = w.conversation;
    EXIT WHEN lease_end IS NULL OR lease_end <= due;
    UPDATE ${name}.wakes x SET lease_at = lease_end WHERE x.conversation = w.conversation AND x.lease_at = w.lease_at;
  END LOOP;
END ${body};`;
}

/** A claim compares no more conversations: to compare 100,000 takes a quarter of a second. */
const window = 1_000;
const someUsers = 100;
const ofUser = 10;

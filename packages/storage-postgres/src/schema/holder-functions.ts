import { bodyQuote, quoteIdentifier, quoteLiteral } from "../database/quote.ts";

/** The functions for stores that show by a lock that they are there. */
export function holderFunctions(schema: string): string {
  const name = quoteIdentifier(schema);
  const body = bodyQuote(name);
  const lockClass = `hashtext(${quoteLiteral(`cogency holder ${schema}`)})`;
  const nextId = `nextval(${quoteLiteral(`${name}.holder_ids`)})`;

  return `-- Takes the lock of a new holder until the connection ends. If its machine vanishes, that is after 11 seconds.
CREATE OR REPLACE FUNCTION ${name}.start_holder(OUT id integer, OUT now_ms double precision) LANGUAGE plpgsql AS ${body}
BEGIN
  PERFORM set_config('tcp_keepalives_idle', '5', false), set_config('tcp_keepalives_interval', '2', false),
    set_config('tcp_keepalives_count', '3', false);
  id := ${nextId};
  PERFORM pg_advisory_lock(${lockClass}, id);
  INSERT INTO ${name}.holders (id) VALUES (start_holder.id);
  now_ms := date_part('epoch', clock_timestamp()) * 1000;
END ${body};

-- Ends the leases and claims of one holder whose lock is gone, and returns how many holders that were. Ends none within
-- p_grace milliseconds after the start of the server, or after p_since.
CREATE OR REPLACE FUNCTION ${name}.end_holder(
  p_own integer, p_since double precision, p_grace double precision, OUT gone integer
) LANGUAGE plpgsql AS ${body}
DECLARE
  holder integer;
  log_id bigint;
  now_ms double precision := date_part('epoch', clock_timestamp()) * 1000;
BEGIN
  gone := 0;
  IF now_ms < greatest(p_since, date_part('epoch', pg_postmaster_start_time()) * 1000) + p_grace THEN RETURN; END IF;
  FOR holder IN SELECT h.id FROM ${name}.holders h WHERE h.id <> p_own LOOP
    CONTINUE WHEN NOT pg_try_advisory_xact_lock_shared(${lockClass}, holder);
    FOR log_id IN SELECT w.conversation FROM ${name}.wakes w WHERE w.lease_holder = holder ORDER BY w.conversation LOOP
      PERFORM FROM ${name}.conversations c WHERE c.id = log_id FOR NO KEY UPDATE;
      UPDATE ${name}.wakes w SET lease_at = least(w.lease_at, now_ms), lease_holder = NULL
        WHERE w.conversation = log_id AND w.lease_holder = holder;
      IF FOUND THEN
        UPDATE ${name}.conversations c SET lease_ends = least(c.lease_ends, now_ms) WHERE c.id = log_id;
      END IF;
    END LOOP;
    UPDATE ${name}.wakes w SET claim_ends = least(w.claim_ends, now_ms), claim_holder = NULL WHERE w.claim_holder = holder;
    DELETE FROM ${name}.holders h WHERE h.id = holder;
    gone := 1;
    -- Rows of conversations are locked before those of wakes, so no more than one at a time.
    RETURN;
  END LOOP;
END ${body};`;
}

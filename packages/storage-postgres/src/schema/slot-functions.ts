import { bodyQuote, quoteIdentifier, quoteLiteral } from "../database/quote.ts";

/** The function for places under a limit. */
export function slotFunctions(schema: string): string {
  const name = quoteIdentifier(schema);
  const body = bodyQuote(name);

  return `-- Takes a place and returns when it ends; NULL if all are taken. A repeated p_id is the same place.
CREATE OR REPLACE FUNCTION ${name}.take_slot(
  p_id uuid, p_name_key bytea, p_owner text, p_limit double precision, p_ttl double precision, OUT ends double precision
) LANGUAGE plpgsql AS ${body}
DECLARE
  now_ms double precision;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(${quoteLiteral(`cogency slot ${schema} `)} || encode(p_name_key, 'hex'), 0));
  -- Waits for renewals.
  PERFORM FROM ${name}.slots s WHERE s.name_key = p_name_key FOR UPDATE;
  now_ms := date_part('epoch', clock_timestamp()) * 1000;
  DELETE FROM ${name}.slots s WHERE s.id IN (
    SELECT o.id FROM ${name}.slots o WHERE o.ends <= now_ms LIMIT 100 FOR UPDATE SKIP LOCKED
  );
  SELECT s.ends INTO ends FROM ${name}.slots s WHERE s.id = p_id;
  IF FOUND OR (SELECT count(*) FROM ${name}.slots s WHERE s.name_key = p_name_key AND s.ends > now_ms) >= p_limit THEN
    RETURN;
  END IF;
  ends := now_ms + p_ttl;
  INSERT INTO ${name}.slots (id, name_key, owner, ends) VALUES (p_id, p_name_key, p_owner, ends);
END ${body};`;
}

import { bodyQuote, quoteIdentifier } from "../database/quote.ts";

/**
 * The functions that programs of version 1 call, which have the schema open while it is upgraded. They keep their names and
 * types, so that calls during the upgrade succeed.
 */
export function versionOneFunctions(schema: string): string {
  const name = quoteIdentifier(schema);
  const body = bodyQuote(name);

  return `-- For programs of version 1.
CREATE OR REPLACE FUNCTION ${name}.append(
  p_key bytea, p_user_name text, p_name text, p_types text, p_events text,
  p_title text, p_created_at double precision, p_updated_at double precision, p_expected double precision,
  p_token double precision, p_batch bytea, p_attempt uuid, p_is_retry boolean,
  OUT outcome text, OUT result bigint, OUT owner text, OUT ends double precision
) LANGUAGE plpgsql AS ${body}
BEGIN
  SELECT * INTO outcome, result, owner, ends FROM ${name}.append_batch(p_key, p_user_name, p_name, p_types, p_events,
    p_title, p_created_at, p_updated_at, p_expected, p_token, p_batch, p_attempt, p_is_retry, NULL, NULL);
END ${body};

CREATE OR REPLACE FUNCTION ${name}.lease(
  p_key bytea, p_user_name text, p_name text, p_owner text, p_ttl double precision,
  OUT token bigint, OUT owner text, OUT ends double precision
) LANGUAGE plpgsql AS ${body}
BEGIN
  SELECT * INTO token, owner, ends FROM ${name}.grant_lease(p_key, p_user_name, p_name, p_owner, p_ttl, NULL);
END ${body};

CREATE OR REPLACE FUNCTION ${name}.release_lease(p_key bytea, p_token bigint) RETURNS void LANGUAGE plpgsql AS ${body}
BEGIN
  PERFORM ${name}.end_lease(p_key, p_token);
END ${body};`;
}

import { bodyQuote, quoteIdentifier, quoteLiteral } from "../database/quote.ts";
import { functions } from "./functions.ts";
import { holderFunctions } from "./holder-functions.ts";
import { inboxFunctions } from "./inbox-functions.ts";
import { migrations } from "./migrations.ts";
import { slotFunctions } from "./slot-functions.ts";
import { versionOneFunctions } from "./version-one-functions.ts";
import { wakeFunctions } from "./wake-functions.ts";

/** The number of the last migration. It is stored in the database. A change of the functions must raise it, too. */
export const schemaVersion = migrations.length;

/**
 * The SQL that creates all tables and functions of the store, or upgrades those of an earlier version. Must run inside a
 * transaction. Fails in a schema of a newer version. In one of this version it replaces the functions only, and locks no
 * table.
 */
export function definitions(schema: string): string {
  const name = quoteIdentifier(schema);
  const body = bodyQuote(name);
  const steps = migrations.map(
    (migration, index) => `  IF present < ${index + 1} THEN
${indented(migration(name))}
  END IF;`,
  );
  return `DO ${body}
DECLARE
  present integer;
BEGIN
  -- Only one transaction prepares the schema, others wait.
  PERFORM pg_advisory_xact_lock(hashtextextended(${quoteLiteral(`cogency ${schema}`)}, 0));
  -- CREATE SCHEMA IF NOT EXISTS needs the right to create a schema even if the schema exists.
  IF NOT EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname = ${quoteLiteral(schema)}) THEN
    CREATE SCHEMA ${name};
  END IF;
  CREATE TABLE IF NOT EXISTS ${name}.cogency_version (
    version integer NOT NULL
  );
  SELECT coalesce(max(version), 0) INTO present FROM ${name}.cogency_version;
  IF present > ${schemaVersion} THEN
    RAISE EXCEPTION 'A newer version has prepared this schema. Nothing was changed.';
  END IF;

${steps.join("\n")}
  DELETE FROM ${name}.cogency_version;
  INSERT INTO ${name}.cogency_version (version) VALUES (${schemaVersion});
END ${body};

${functions(schema)}

${inboxFunctions(schema)}

${wakeFunctions(schema)}

${slotFunctions(schema)}

${holderFunctions(schema)}

${versionOneFunctions(schema)}`;
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "    ");
}

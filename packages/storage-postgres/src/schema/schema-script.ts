import { checkOptions, text } from "@cogency/protocol/options";
import { quoteIdentifier } from "../database/quote.ts";
import { definitions } from "./definitions.ts";

export const defaultSchema = "cogency";

export interface SchemaScriptOptions {
  /** The schema that contains all tables. Defaults to `"cogency"`. */
  schema?: string | undefined;
  /** An existing role that gets the rights to use the store and no others. Without it no rights are granted. */
  role?: string | undefined;
}

/**
 * Returns the SQL with which an administrator prepares a database or upgrades one that an earlier version has prepared,
 * so that the application's role needs no right to create objects. The script may run again, for example for another role.
 *
 * @throws RangeError for a name that PostgreSQL would truncate or refuse
 */
export function schemaScript(options: SchemaScriptOptions = {}): string {
  checkOptions<SchemaScriptOptions>("schemaScript", options, { schema: text, role: text });
  const { schema = defaultSchema, role } = options;
  const name = quoteIdentifier(schema);
  const parts = [
    "BEGIN;",
    definitions(schema),
    ...(role === undefined ? [] : [grants(name, quoteIdentifier(role))]),
    "COMMIT;",
  ];
  return `${parts.join("\n\n")}\n`;
}

function grants(name: string, role: string): string {
  return `GRANT USAGE ON SCHEMA ${name} TO ${role};
GRANT SELECT ON ${name}.cogency_version, ${name}.live_key TO ${role};
GRANT SELECT, INSERT, UPDATE, DELETE ON ${name}.conversations, ${name}.events, ${name}.passages, ${name}.profiles,
  ${name}.inbox, ${name}.timers, ${name}.wakes, ${name}.slots, ${name}.holders TO ${role};
GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${name} TO ${role};
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${name} TO ${role};`;
}

import { quoteIdentifier } from "../database/quote.ts";
import { definitions } from "./tables.ts";

export const defaultSchema = "cogency";

export interface SchemaScriptOptions {
  /** The schema that holds everything; `"cogency"` by default. */
  schema?: string | undefined;
  /** An existing role that may use the store, and nothing beyond it. Without one nobody is given anything. */
  role?: string | undefined;
}

/**
 * The SQL with which an administrator prepares a database, so that the application's role needs no right to create
 * anything. It may be run again, for another role say.
 *
 * @throws RangeError for a name that PostgreSQL would cut or refuse
 */
export function schemaScript({ schema = defaultSchema, role }: SchemaScriptOptions = {}): string {
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
GRANT SELECT ON ${name}.cogency_version TO ${role};
GRANT SELECT, INSERT, UPDATE, DELETE ON ${name}.conversations, ${name}.events, ${name}.passages, ${name}.profiles TO ${role};
GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${name} TO ${role};
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${name} TO ${role};`;
}

import type { Sql } from "postgres";

/** What the schemas of this name hold: tables with their columns, indexes, sequences and functions. */
export async function schemaObjects(sql: Sql, schema = "cogency"): Promise<Record<string, unknown>[]> {
  const rows = await sql`
    SELECT c.relname AS name, c.relkind AS kind, pg_get_indexdef(c.oid) AS definition,
      array(SELECT attname || ' ' || atttypid::regtype || ' ' || attnotnull FROM pg_attribute
        WHERE attrelid = c.oid ORDER BY attnum) AS columns
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ${schema}
    UNION ALL
    SELECT p.proname, 'f', pg_get_functiondef(p.oid), '{}'
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = ${schema}
    ORDER BY name`;
  return rows.map((row) => ({ ...row }));
}

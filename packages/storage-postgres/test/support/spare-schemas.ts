import type { Sql } from "postgres";

/** Prepared schemas of one database for one store after another, because preparing one takes longer than most cases. */
export interface SpareSchemas {
  /** The name of a schema that no other store uses, which is empty or not prepared yet. */
  take(): string;
  /** Empties it for the next store. No process may be left that could still write to it. */
  giveBack(schema: string): Promise<void>;
}

export function spareSchemas(sql: Sql): SpareSchemas {
  const spare: string[] = [];
  let made = 0;
  return {
    take: () => spare.pop() ?? `case_${++made}`,
    async giveBack(schema) {
      const tables = await sql<{ name: string }[]>`
        SELECT tablename AS name FROM pg_tables WHERE schemaname = ${schema} AND tablename NOT IN ('cogency_version', 'live_key')`;
      await sql.unsafe(tables.map(({ name }) => `DELETE FROM ${schema}.${name}`).join(";"));
      spare.push(schema);
    },
  };
}

import type { PostgresServer } from "@tooling/postgres";
import postgres from "postgres";

/** Settings of a server that counts its statements. */
export const counting = { shared_preload_libraries: "pg_stat_statements" } as const;

export interface Counter {
  /** Statements that the server has carried out in a database so far, those that begin and end transactions included. */
  statements(database: string): Promise<number>;
  /** Open connections to a database. */
  connections(database: string): Promise<number>;
  close(): Promise<void>;
}

export async function countOn({ url }: PostgresServer): Promise<Counter> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  await sql`CREATE EXTENSION IF NOT EXISTS pg_stat_statements`;
  return {
    async statements(database) {
      const [row] = await sql`
        SELECT coalesce(sum(calls), 0)::int AS calls FROM pg_stat_statements
        WHERE dbid = (SELECT oid FROM pg_database WHERE datname = ${database})`;
      return Number(row?.calls);
    },
    async connections(database) {
      const [row] = await sql`SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = ${database}`;
      return Number(row?.count);
    },
    close: () => sql.end(),
  };
}

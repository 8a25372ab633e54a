import postgres from "postgres";

/** One statement of clients; what runs inside of a function of the database counts as part of it. */
interface Statement {
  text: string;
  calls: number;
  /** Milliseconds in the server, the commit not included. */
  time: number;
}

/** What a database has done so far, or between two looks. */
export interface Tally {
  statements: Statement[];
  /** Bytes of the write-ahead log, of the whole server. */
  wal: number;
  /** Times that the server waited for the disk to have the log, of the whole server. Connections report it once a second. */
  syncs: number;
}

export interface Books {
  tally(url: string): Promise<Tally>;
  connections(url: string): Promise<number>;
  close(): Promise<void>;
}

/** Reads what a server with pg_stat_statements counts. Its own statements are in another database. */
export async function booksOf(server: string): Promise<Books> {
  const sql = postgres(server, { max: 1, onnotice: () => {} });
  await sql`CREATE EXTENSION IF NOT EXISTS pg_stat_statements`;
  return {
    async tally(url) {
      const database = databaseOf(url);
      const rows = await sql`
        SELECT query, sum(calls)::float8 AS calls, sum(total_exec_time)::float8 AS time FROM pg_stat_statements
        WHERE dbid = (SELECT oid FROM pg_database WHERE datname = ${database}) GROUP BY query`;
      const [server] = await sql`
        SELECT (pg_current_wal_lsn() - '0/0')::float8 AS wal, wal_sync::float8 AS syncs FROM pg_stat_wal`;
      return {
        statements: rows.map(({ query, calls, time }) => ({ text: String(query), calls, time })),
        wal: Number(server?.wal),
        syncs: Number(server?.syncs),
      };
    },
    async connections(url) {
      const [row] = await sql`SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = ${databaseOf(url)}`;
      return Number(row?.count);
    },
    close: () => sql.end(),
  };
}

function databaseOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

export function difference(before: Tally, after: Tally): Tally {
  const known = new Map(before.statements.map((statement) => [statement.text, statement]));
  return {
    statements: after.statements.map(({ text, calls, time }) => ({
      text,
      calls: calls - (known.get(text)?.calls ?? 0),
      time: time - (known.get(text)?.time ?? 0),
    })),
    wal: after.wal - before.wal,
    syncs: after.syncs - before.syncs,
  };
}

/** Sums the statements that ran by their purpose. */
export function named({ statements }: Tally): Map<string, Omit<Statement, "text">> {
  const sums = new Map<string, Omit<Statement, "text">>();
  for (const { text, calls, time } of statements) {
    if (calls === 0) continue;
    const name = nameOf(text);
    const sum = sums.get(name) ?? { calls: 0, time: 0 };
    sums.set(name, { calls: sum.calls + calls, time: sum.time + time });
  }
  return sums;
}

export function callsOf({ statements }: Tally): number {
  return statements.reduce((sum, { calls }) => sum + calls, 0);
}

const names: readonly [RegExp, string][] = [
  [/\.append_batch\(/, "append, by function"],
  [/INSERT INTO \S+\.events/, "append"],
  [/\.post\(/, "post"],
  [/\.claim\(/, "claim"],
  [/\.settle_claim\(/, "end of a claim"],
  [/\.grant_lease\(/, "lease"],
  [/\.end_lease\(/, "release"],
  [/json_to_recordset/, "renewal of leases"],
  [/\.next_wake\(/, "what is due next"],
  [/pg_notify/, "NOTIFY"],
  [/\.end_holder\(/, "look for holders that are gone"],
  [/AS messages/, "what is new in the inbox"],
  [/FROM \S+\.inbox/, "read the inbox"],
  [/FROM \S+\.events/, "load the log"],
  [/pgboss\.|pgboss"/, "pg-boss"],
];

function nameOf(text: string): string {
  const [, name] = names.find(([pattern]) => pattern.test(text)) ?? [];
  return name ?? text.replace(/\s+/g, " ").slice(0, 60);
}

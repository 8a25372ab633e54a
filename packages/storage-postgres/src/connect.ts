import { StoreError } from "@cogency/storage";
import postgres, { type Options, type Sql } from "postgres";
import { rowsOf } from "./rows-of.ts";
import { within } from "./within.ts";

export interface ConnectOptions {
  url: string;
  max?: number | undefined;
  /** Milliseconds. */
  connectTimeout?: number | undefined;
  prepare?: boolean | undefined;
}

/** A pool of connections that are made as they are needed. */
export interface Pool {
  /** The client to use now. */
  readonly sql: Sql;
  /** The rows of one statement, as lists of columns. */
  query(...statement: Statement): Promise<unknown[][]>;
  /**
   * Puts a new client in the place of one that gives no answer: its connections may have lost the other end without a
   * word, which the system would notice a quarter of an hour later. What waits for it fails with a lost connection.
   */
  replace(client: Sql): void;
  /** Waits for what is on the way, at most five seconds. */
  end(): Promise<void>;
}

export type Statement = readonly [text: string, parameters: readonly Parameter[]];
type Parameter = string | number | boolean | Uint8Array | null;

/** @throws StoreError `unavailable` for what is no address */
export function connect(options: ConnectOptions): Pool {
  refuseIfNoAddress(options.url);
  let sql = clientOf(options);
  let isEnding = false;
  const onTheWay = new Set<Promise<unknown>>();
  return {
    get sql() {
      return sql;
    },
    query(...statement) {
      const rows = rowsOver(sql, statement);
      onTheWay.add(rows);
      return rows.finally(() => onTheWay.delete(rows));
    },
    replace(client) {
      if (client !== sql || isEnding) return;
      sql = clientOf(options);
      client.end({ timeout: 0 }).catch(() => {});
    },
    async end() {
      isEnding = true;
      // The client forgets connections that are still being made when it ends, and they stay.
      await within(Promise.allSettled(onTheWay), patience).catch(() => {});
      await sql.end({ timeout: 0 });
    },
  };
}

/** A client of the caller's, who ends it. */
export function borrow(sql: Sql): Pool {
  return { sql, query: (...statement) => rowsOver(sql, statement), replace: () => {}, end: async () => {} };
}

const patience = 5_000;

function rowsOver(sql: Sql, [text, parameters]: Statement): Promise<unknown[][]> {
  return rowsOf(sql.unsafe(text, [...parameters], { prepare: true }));
}

function clientOf({ url, max = 10, connectTimeout = 10_000, prepare = true }: ConnectOptions): Sql {
  return postgres(url, {
    max,
    prepare,
    connect_timeout: connectTimeout / 1_000,
    backoff,
    // Arrays travel as text (quote.ts), which saves every connection the question for their types.
    fetch_types: false,
    connection: { application_name: "cogency" },
    onnotice: () => {},
  });
}

/** Seconds before a connection is made again; the client's own goes up to 20. */
function backoff(failures: number): number {
  return Math.min(0.05 * 2 ** failures, 1) * (0.5 + Math.random() / 2);
}

/** A client of its own with the settings of another one, for what must not take a connection of the pool. */
export function connectBeside(sql: Sql): Sql {
  // The client takes the settings that it has parsed as they are.
  return postgres({ ...sql.options, max: 1, backoff } as unknown as Options<Record<string, never>>);
}

/** Where the store is, for messages: never with a password. */
export function placeOf({ options: { host, port, path, database } }: Sql, schema: string): string {
  const server = path ? [path] : host.map((name, index) => `${name}:${port[index] ?? port[0]}`);
  return `Schema ${JSON.stringify(schema)} of PostgreSQL database ${JSON.stringify(database)} at ${server.join(", ")}`;
}

/** The errors of the parser show the whole address. */
function refuseIfNoAddress(url: string): void {
  const address = /^postgres(ql)?:\/\//.test(url) ? url.replace(/,[^/?@]*(?=[/?]|$)/, "") : "";
  if (URL.canParse(address) && isEncoded(address)) return;
  throw new StoreError(
    "unavailable",
    "`url` is no address of a PostgreSQL database. Give postgres://user:password@host:5432/database, with special characters percent-encoded.",
  );
}

function isEncoded(address: string): boolean {
  try {
    decodeURIComponent(address);
    return true;
  } catch {
    return false;
  }
}

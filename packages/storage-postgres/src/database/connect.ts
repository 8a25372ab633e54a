import { StoreError } from "@cogency/storage";
import postgres, { type Options, type PendingQuery, type Row, type Sql } from "postgres";
import { rowsOf } from "./rows-of.ts";
import { type Hosts, socketsOf } from "./sockets.ts";
import { within } from "./within.ts";

export interface ConnectOptions {
  url: string;
  max?: number | undefined;
  /** Milliseconds. */
  connectTimeout?: number | undefined;
  prepare?: boolean | undefined;
}

/** A client, and what ends it with all its connections. */
interface Client {
  sql: Sql;
  end(): Promise<void>;
}

/** A pool of connections that are made as they are needed. */
export interface Pool {
  /** The client to use now. */
  readonly sql: Sql;
  /** How many statements were answered. */
  readonly answers: number;
  /** The rows of one statement, as lists of columns. */
  query(...statement: Statement): Promise<unknown[][]>;
  /** The same, with whether the statement has its turn on a connection. */
  send(...statement: Statement): { rows: Promise<unknown[][]>; hasTurn(): boolean };
  /** A client of its own with the same settings, for what must not take a connection of the pool. */
  connectBeside(): Client;
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
  let client = clientOf(options);
  let isEnding = false;
  const sending = sendOver(() => client.sql);
  return {
    get answers() {
      return sending.answers;
    },
    get sql() {
      return client.sql;
    },
    send: sending.send,
    query: (...statement) => sending.send(...statement).rows,
    connectBeside: () => connectBeside(client.sql, true),
    replace(replaced) {
      if (replaced !== client.sql || isEnding) return;
      const { end } = client;
      client = clientOf(options);
      end().catch(() => {});
    },
    async end() {
      isEnding = true;
      await within(Promise.allSettled(sending.onTheWay), patience).catch(() => {});
      await client.end();
    },
  };
}

/** A client of the caller's, who ends it. */
export function borrow(sql: Sql): Pool {
  const sending = sendOver(() => sql);
  return {
    sql,
    get answers() {
      return sending.answers;
    },
    send: sending.send,
    query: (...statement) => sending.send(...statement).rows,
    connectBeside: () => connectBeside(sql, false),
    replace: () => {},
    end: async () => {},
  };
}

const patience = 5_000;

interface Sending extends Pick<Pool, "answers" | "send"> {
  /** What is not answered yet. */
  readonly onTheWay: ReadonlySet<Promise<unknown>>;
}

function sendOver(client: () => Sql): Sending {
  const onTheWay = new Set<Promise<unknown>>();
  let answers = 0;
  return {
    onTheWay,
    get answers() {
      return answers;
    },
    send(text, parameters) {
      // That it is active is not among the client's types.
      const query: PendingQuery<Row[]> & { active?: boolean } = client().unsafe(text, [...parameters], {
        prepare: true,
      });
      const rows = rowsOf(query);
      onTheWay.add(rows);
      const answered = () => {
        answers++;
        onTheWay.delete(rows);
      };
      rows.then(answered, () => onTheWay.delete(rows));
      return { rows, hasTurn: () => query.active === true };
    },
  };
}

function clientOf({ url, max = 10, connectTimeout = 10_000, prepare = true }: ConnectOptions): Client {
  return endable(connectTimeout, (socket) =>
    postgres(url, {
      max,
      prepare,
      connect_timeout: connectTimeout / 1_000,
      backoff,
      // Arrays travel as text (quote.ts), which saves every connection the question for their types.
      fetch_types: false,
      connection: { application_name: "cogency" },
      onnotice: () => {},
      ...socket,
    }),
  );
}

function endable(connectTimeout: number, make: (socket: object) => Sql): Client {
  const sockets = socketsOf(connectTimeout);
  // The option is not among the client's types.
  const sql = make({ socket: (hosts: Hosts) => sockets.open(hosts) });
  const end = async () => {
    await sql.end({ timeout: 0 });
    sockets.close();
  };
  return { sql, end };
}

/** Seconds before a connection is made again; the client's own goes up to 20. */
function backoff(failures: number): number {
  return Math.min(0.05 * 2 ** failures, 1) * (0.5 + Math.random() / 2);
}

/** @param isOurs whether its sockets are ours: another's client may come by its own in a way that we do not know */
function connectBeside({ options }: Sql, isOurs: boolean): Client {
  const hasOthers = !isOurs && "socket" in options && options.socket !== undefined;
  // The client takes the settings that it has parsed as they are.
  const make = (socket: object) => {
    const settings = { ...options, ...(hasOthers ? {} : socket), max: 1, backoff };
    return postgres(settings as unknown as Options<Record<string, never>>);
  };
  return endable(Number(options.connect_timeout) * 1_000 || 30_000, make);
}

/** Where the store is, for messages: never with a password. */
export function locationOf({ options: { host, port, path, database } }: Sql, schema: string): string {
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

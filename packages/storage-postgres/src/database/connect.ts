import { settlesWithin } from "@cogency/async";
import { StoreError } from "@cogency/storage";
import postgres, { type Options, type PendingQuery, type Row, type Sql } from "postgres";
import { rowsOf } from "./rows-of.ts";
import { type Hosts, type Sockets, socketsOf } from "./sockets.ts";

export interface ConnectOptions {
  url: string;
  max?: number | undefined;
  /** Milliseconds. */
  connectTimeout?: number | undefined;
  prepare?: boolean | undefined;
}

/** A client of the library `postgres`. `end` closes all its connections. */
interface Client {
  sql: Sql;
  end(): Promise<void>;
}

/** A pool of connections that opens them on demand. */
export interface Pool {
  /** The current client. */
  readonly sql: Sql;
  /** The number of answered statements. */
  readonly answers: number;
  /** Runs a statement and returns its rows as arrays of columns. */
  query(...statement: Statement): Promise<unknown[][]>;
  /** Like `query`. `hasStarted` returns whether a connection has started the statement. */
  send(...statement: Statement): { rows: Promise<unknown[][]>; hasStarted(): boolean };
  /** Creates a separate client of one connection, for work that must not take one of the pool. */
  connectBeside(options?: BesideOptions): Client;
  /**
   * Replaces a client that does not answer: its connections may be broken without notice, which the system would detect
   * a quarter of an hour later. Its pending statements fail with a lost connection. A client that has forgotten a
   * statement, or never writes to a connection, is replaced by itself.
   */
  replace(client: Sql): void;
  /** Waits for pending statements, at most five seconds, and closes the connections. */
  end(): Promise<void>;
}

interface BesideOptions {
  /** Settings of the library besides those of the pool. */
  settings?: object;
  /** Called when the client has a connection to which it never writes: replace it. */
  stuck?(): void;
}

export type Statement = readonly [text: string, parameters: readonly Parameter[]];
type Parameter = string | number | boolean | Uint8Array | null;

/** @throws StoreError `unavailable` for an invalid `url` */
export function connect(options: ConnectOptions): Pool {
  refuseIfNoAddress(options.url);
  let isEnding = false;
  let client = open();
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
    connectBeside: (options) => connectBeside(client.sql, true, options),
    replace,
    async end() {
      isEnding = true;
      await settlesWithin(sending.settled(), longestEnd);
      await client.end();
    },
  };

  function open(): Client {
    const replaceThis = () => replace(opened.sql);
    const onclose = (connection: number) => sending.closed(connection, replaceThis);
    const opened = clientOf(options, { onclose, stuck: replaceThis });
    return opened;
  }

  function replace(replaced: Sql): void {
    if (replaced !== client.sql || isEnding) return;
    const { end } = client;
    client = open();
    end().catch(() => {});
  }
}

/** A pool over the caller's client, which `end` leaves open. */
export function borrow(sql: Sql): Pool {
  const sending = sendOver(() => sql);
  return {
    sql,
    get answers() {
      return sending.answers;
    },
    send: sending.send,
    query: (...statement) => sending.send(...statement).rows,
    connectBeside: (options) => connectBeside(sql, false, options),
    replace: () => {},
    end: async () => {},
  };
}

/** Milliseconds. */
const longestEnd = 5_000;

interface Sending extends Pick<Pool, "answers" | "send"> {
  /** Resolves when each statement has an answer or has failed. */
  settled(): Promise<unknown>;
  /**
   * A connection has closed. Calls `forgot` if the client does not fail a statement that it had given to it: `postgres`
   * 3.4.9 forgets those that it gives to a connection between an error of its socket and the end of it.
   */
  closed(connection: number, forgot: () => void): void;
}

/** A statement of the library. The types lack `active`, and `state`, an object for each connection of the client. */
type Sent = PendingQuery<Row[]> & { active?: boolean; state?: object };

function sendOver(client: () => Sql): Sending {
  const pending = new Map<Sent, Promise<unknown>>();
  /** The connections by the `state` of their statements. */
  const connections = new WeakMap<object, number>();
  let answers = 0;
  return {
    settled: () => Promise.allSettled(pending.values()),
    get answers() {
      return answers;
    },
    send(text, parameters) {
      // Not called for a statement that is prepared first. A false result would keep others off the connection.
      const onexecute = ({ id }: { id: number }) => {
        if (query.state) connections.set(query.state, id);
        return true;
      };
      const settings = { prepare: true, onexecute };
      const query: Sent = client().unsafe(text, [...parameters], settings);
      const rows = rowsOf(query);
      pending.set(query, rows);
      const answered = () => {
        answers++;
        pending.delete(query);
      };
      rows.then(answered, () => pending.delete(query));
      return { rows, hasStarted: () => query.active === true };
    },
    closed(connection, forgot) {
      const given = [...pending.keys()].filter(({ state }) => state && isOf(connection, state));
      // The client fails statements while it closes their connection.
      setImmediate(() => given.some((query) => pending.has(query)) && forgot());
    },
  };

  /** True also if nothing is known. */
  function isOf(connection: number, state: object): boolean {
    return (connections.get(state) ?? connection) === connection;
  }
}

interface Hooks {
  onclose(connection: number): void;
  /** The client has a connection to which it never writes. */
  stuck(): void;
}

function clientOf(
  { url, max = 10, connectTimeout = 10_000, prepare = true }: ConnectOptions,
  { onclose, stuck }: Hooks,
): Client {
  const sockets = socketsOf(connectTimeout, stuck);
  return endable(sockets, (socket) =>
    postgres(url, {
      max,
      prepare,
      connect_timeout: connectTimeout / 1_000,
      backoff,
      // Arrays are sent as text (quote.ts), so connections need not query their types.
      fetch_types: false,
      connection: { application_name: "cogency" },
      onnotice: () => {},
      onclose,
      ...socket,
    }),
  );
}

function endable(sockets: Sockets, make: (socket: object) => Sql): Client {
  // `socket` is missing in the client's types.
  const sql = make({ socket: (hosts: Hosts) => sockets.open(hosts) });
  const end = async () => {
    await sql.end({ timeout: 0 });
    sockets.close();
  };
  return { sql, end };
}

/** Seconds to wait before a new connection. The default of the client rises to 20. */
function backoff(failures: number): number {
  return Math.min(0.05 * 2 ** failures, 1) * (0.5 + Math.random() / 2);
}

/**
 * @param isOurs whether this file created the client; the caller's client may have a `socket` option that must be kept
 */
function connectBeside(
  { options }: Sql,
  isOurs: boolean,
  { settings: added, stuck = () => {} }: BesideOptions = {},
): Client {
  const hasOthers = !isOurs && "socket" in options && options.socket !== undefined;
  // The client accepts its own parsed settings.
  const make = (socket: object) => {
    const settings = { ...options, ...(hasOthers ? {} : socket), max: 1, backoff, onclose: undefined, ...added };
    return postgres(settings as unknown as Options<Record<string, never>>);
  };
  return endable(socketsOf(Number(options.connect_timeout) * 1_000 || 30_000, stuck), make);
}

/** The location of the store for messages, without the password. */
export function locationOf({ options: { host, port, path, database } }: Sql, schema: string): string {
  const server = path ? [path] : host.map((name, index) => `${name}:${port[index] ?? port[0]}`);
  return `Schema ${JSON.stringify(schema)} of PostgreSQL database ${JSON.stringify(database)} at ${server.join(", ")}`;
}

/** Checks the address here, because the errors of the parser show it with the password. */
function refuseIfNoAddress(url: string): void {
  const address = /^postgres(ql)?:\/\//.test(url) ? url.replace(/,[^/?@]*(?=[/?]|$)/, "") : "";
  if (URL.canParse(address) && isEncoded(address)) return;
  throw new StoreError(
    "unavailable",
    "`url` is not an address of a PostgreSQL database. Give postgres://user:password@host:5432/database, with special characters percent-encoded.",
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

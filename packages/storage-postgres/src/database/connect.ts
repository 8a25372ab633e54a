import { settlesWithin } from "@cogency/async";
import { StoreError } from "@cogency/storage";
import postgres, { type Options, type Sql } from "postgres";
import { type Sending, type Statement, sendOver } from "./sending.ts";
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
export interface Pool extends Pick<Sending, "answers" | "send"> {
  /** The current client. */
  readonly sql: Sql;
  /** Runs a statement and returns its rows as arrays of columns. */
  query(...statement: Statement): Promise<unknown[][]>;
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

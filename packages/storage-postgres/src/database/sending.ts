import type { PendingQuery, Row, Sql } from "postgres";

export type Statement = readonly [text: string, parameters: readonly Parameter[]];
type Parameter = string | number | boolean | Uint8Array | null;

/** Sends statements over a client, and knows which have no answer yet. */
export interface Sending {
  /** The number of answered statements. */
  readonly answers: number;
  /** Sends a statement. Its rows are arrays of columns. `hasStarted` returns whether a connection has started it. */
  send(...statement: Statement): { rows: Promise<unknown[][]>; hasStarted(): boolean };
  /** Resolves when each statement has an answer or has failed. */
  settled(): Promise<unknown>;
  /**
   * Takes note that a connection has closed. Calls `forgot` if the client leaves a statement of that connection without an
   * answer: `postgres` 3.4.9 does so with a statement that it gives to a connection after an error of the socket and before
   * the socket has closed.
   */
  closed(connection: number, forgot: () => void): void;
}

/** A statement of the library. The types lack `active`, and `state`, an object for each connection of the client. */
type Sent = PendingQuery<Row[]> & { active?: boolean; state?: object };

/** @param client returns the client for the next statement */
export function sendOver(client: () => Sql): Sending {
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

  /** True also if the connection of the statement is not known. */
  function isOf(connection: number, state: object): boolean {
    return (connections.get(state) ?? connection) === connection;
  }
}

/**
 * The rows of a statement as arrays of columns. If `postgres` 3.4.9 loses a connection in the middle of a result, the
 * next result after the reconnect starts with a hole for each row that it had received.
 */
export async function rowsOf(query: PendingQuery<Row[]>): Promise<unknown[][]> {
  const rows: unknown[][] = await query.values();
  // `filter` skips holes.
  return rows.length === 0 || 0 in rows ? rows : rows.filter(() => true);
}

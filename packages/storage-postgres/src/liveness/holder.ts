import { inTime, wait } from "@cogency/async";
import type { PendingQuery, Row, Sql } from "postgres";
import { noAnswer } from "../database/answer-watch.ts";
import type { Pool } from "../database/connect.ts";
import { quoteIdentifier } from "../database/quote.ts";
import { rowsOf } from "../database/sending.ts";

/** What shows other stores that this one is there: an advisory lock, which the server drops when the connection ends. */
export interface Holder {
  /** Recorded with leases and claims. Null without a lock: leases and claims then end by their `ttl`. */
  readonly id: number | null;
  /** Ends the connection, so that other stores take over at once. */
  close(): Promise<void>;
}

export interface HolderOptions {
  pool: Pool;
  schema: string;
  location: string;
  warn(message: string): void;
  /** The lock is gone: leases that were recorded with its id may be taken over. */
  lost(id: number): void;
  /** Leases and claims of another store were ended, because its lock is gone. */
  ended(): void;
}

/**
 * Takes the lock on a connection of its own, and looks over it again and again for holders whose lock is gone. A lock that
 * is lost is replaced by another, with another id. Resolves when the first attempt to take it has succeeded or failed.
 */
export async function startHolder({ pool, schema, location, warn, lost, ended }: HolderOptions): Promise<Holder> {
  const name = quoteIdentifier(schema);
  const closing = new AbortController();
  let id: number | null = null;
  let isFirst = true;
  let started = () => {};
  const firstAttempt = new Promise<void>((resolve) => {
    started = resolve;
  });
  const holding = hold();
  await firstAttempt;

  return {
    get id() {
      return id;
    },
    async close() {
      closing.abort();
      await holding;
    },
  };

  async function hold(): Promise<void> {
    while (!closing.signal.aborted) {
      if ((await holdOnce()) === "pooled") return;
      await wait(pause, closing.signal);
    }
  }

  async function holdOnce(): Promise<"ended" | "pooled"> {
    const broken = new AbortController();
    const ending = AbortSignal.any([closing.signal, broken.signal]);
    const client = pool.connectBeside({
      settings: { idle_timeout: 0, max_lifetime: null, onclose: () => broken.abort() },
    });
    // Also so that the client does not connect again by itself.
    ending.addEventListener("abort", () => void client.end().catch(() => {}));
    try {
      const session = await begin(client.sql);
      if (session === "pooled") {
        warn(`${location}: ${poolerWarning}`);
        return "pooled";
      }
      id = session.id;
      // Also after a crash of the server, when all locks are gone at once, its other stores have time for a new one.
      const since = isFirst ? 0 : session.now;
      isFirst = false;
      started();
      while (!ending.aborted) {
        const { pid, gone } = await look(client.sql, session.id, since);
        if (pid !== session.pid) return "ended";
        if (gone > 0) ended();
        else await wait(interval, ending);
      }
    } catch (error) {
      // The lock is tried again; until then leases and claims end by their `ttl`.
      if (isFirst) warn(`${location}: ${failureWarning} ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      isFirst = false;
      if (id !== null && !closing.signal.aborted) {
        const gone = id;
        id = null;
        lost(gone);
      }
      await client.end().catch(() => {});
      started();
    }
    return "ended";
  }

  async function begin(sql: Sql): Promise<{ id: number; pid: number; now: number } | "pooled"> {
    // Before the lock: behind a pooler it would stay with a connection of others.
    const { row, clientPid } = await ask(sql, "SELECT pg_backend_pid()", []);
    if (Number(row[0]) !== clientPid) return "pooled";
    const { row: started } = await ask(sql, `SELECT id, pg_backend_pid(), now_ms FROM ${name}.start_holder()`, []);
    const [own, pid, now] = started.map(Number) as [number, number, number];
    return { id: own, pid, now };
  }

  async function look(sql: Sql, own: number, since: number): Promise<{ pid: number; gone: number }> {
    const statement = `SELECT pg_backend_pid(), ${name}.end_holder($1, $2, ${grace})`;
    const { row } = await ask(sql, statement, [own, since]);
    return { pid: Number(row[0]), gone: Number(row[1]) };
  }
}

/** @returns the first row, and the process of the server by what the connection was told when it was opened */
async function ask(sql: Sql, text: string, values: number[]): Promise<{ row: unknown[]; clientPid: unknown }> {
  // `state` is missing in the client's types.
  const query: PendingQuery<Row[]> & { state?: { pid?: unknown } } = sql.unsafe(text, values, { prepare: true });
  const [row = []] = await inTime(rowsOf(query), longestAnswer, () => noAnswer(longestAnswer));
  return { row, clientPid: query.state?.pid };
}

/** Milliseconds between two looks for holders that are gone. */
const interval = 300;
/** Milliseconds. Shorter than the server takes to notice that a machine has vanished (see `start_holder`). */
const longestAnswer = 5_000;
/** Milliseconds before another attempt to take the lock. */
const pause = 200;
/** Milliseconds after a start of the server in which no holder is ended: each must take its lock again. */
const grace = 5_000;

const poolerWarning =
  "`liveness` needs a direct connection, but a pooler stands between. Leases and claims of processes that ended are taken over after their `ttl` only.";
const failureWarning = "`liveness` has no connection yet, so leases and claims end by their `ttl` until it has one:";

import { StoreError } from "@cogency/storage";
import { answerWatch } from "./answer-watch.ts";
import type { Pool } from "./connect.ts";
import { quoteIdentifier } from "./quote.ts";
import { retry } from "./retry.ts";
import type { Statement } from "./sending.ts";
import { isTransient, storeErrorOf } from "./store-error-of.ts";

/** An open database, as the methods of the store use it. Every error is a StoreError. */
export interface Database {
  /** The quoted name of the schema, for SQL. */
  schema: string;
  /** The location of the store, for messages. */
  location: string;
  /**
   * Runs one statement and returns its rows as arrays of columns. Retries for `retryFor` milliseconds after transient
   * errors, so the statement must be idempotent.
   *
   * @throws StoreError `closed` after the store was closed, otherwise as `storeErrorOf` describes
   */
  run(...statement: Statement): Promise<unknown[][]>;
  /** Like `run`. `statementOf` receives whether an earlier attempt failed after the server may have carried it out. */
  attempt(statementOf: (isRetry: boolean) => Statement): Promise<unknown[][]>;
  refuseIfClosed(): void;
  /** Aborted when the store is closed. */
  closing: AbortSignal;
}

export interface DatabaseOptions {
  pool: Pool;
  schema: string;
  location: string;
  retryFor: number;
  closing: AbortSignal;
}

export function createDatabase({ pool, schema, location, retryFor, closing }: DatabaseOptions): Database {
  const watch = answerWatch(answerTimeoutOf(retryFor));
  const run = (...statement: Statement) => attempt(() => statement);
  return { schema: quoteIdentifier(schema), location, run, attempt, refuseIfClosed, closing };

  async function attempt(statementOf: (isRetry: boolean) => Statement): Promise<unknown[][]> {
    refuseIfClosed();
    const once = (isRetry: boolean): Promise<unknown[][]> => {
      const { sql } = pool;
      const { rows, hasStarted } = pool.send(...statementOf(isRetry));
      let { answers } = pool;
      // The statement waits for a connection while others get answers: the server is busy and does not hang.
      const isInLine = () => {
        const before = answers;
        answers = pool.answers;
        return answers > before && !hasStarted();
      };
      return watch.limit(rows, () => pool.replace(sql), isInLine);
    };
    try {
      return await retry(once, { retryFor, isTransient, signal: closing });
    } catch (error) {
      refuseIfClosed();
      throw storeErrorOf(error, location);
    }
  }

  function refuseIfClosed(): void {
    if (closing.aborted) throw new StoreError("closed", "The store was closed. Open it again.");
  }
}

/** Milliseconds to wait for an answer. At least ten seconds, because large logs take time. */
export function answerTimeoutOf(retryFor: number): number {
  return Math.max(retryFor, 10_000);
}

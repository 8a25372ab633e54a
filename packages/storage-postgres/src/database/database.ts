import { StoreError } from "@cogency/storage";
import { answerWatch } from "./answer-watch.ts";
import type { Pool, Statement } from "./connect.ts";
import { quoteIdentifier } from "./quote.ts";
import { retry } from "./retry.ts";
import { isTransient, storeErrorOf } from "./store-error-of.ts";

/** What the methods of the store run their statements on. */
export interface Database {
  /** The name of the schema as SQL writes it. */
  schema: string;
  /** Where it is, for messages. */
  location: string;
  /**
   * Runs one statement and returns its rows as lists of columns; again while the connection is lost, for `retryFor`
   * milliseconds. What it does must come to the same when it is done twice.
   *
   * @throws StoreError `closed` once the store is closed, and as storeErrorOf says
   */
  run(...statement: Statement): Promise<unknown[][]>;
  /** The same for a statement that depends on whether it was tried before, with an unknown outcome. */
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
      const { rows, hasTurn } = pool.send(...statementOf(isRetry));
      let { answers } = pool;
      // Behind others that get their answers: the server does not hang, there is much to do.
      const isInLine = () => {
        const before = answers;
        answers = pool.answers;
        return answers > before && !hasTurn();
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

/** Milliseconds to wait for an answer: large logs need time to arrive. */
export function answerTimeoutOf(retryFor: number): number {
  return Math.max(retryFor, 10_000);
}

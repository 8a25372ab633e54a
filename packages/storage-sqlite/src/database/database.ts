import type { DatabaseSync } from "node:sqlite";
import { setImmediate, setTimeout } from "node:timers/promises";
import { StoreError } from "@cogency/storage";
import { guardFile } from "./file-guard.ts";
import { isBusy, isNotWritable, storeErrorOf } from "./store-error-of.ts";
import { prepareTransaction } from "./transaction.ts";

/** An open database, as the methods of the store use it. Every error is a StoreError. */
export interface Database {
  readonly sqlite: DatabaseSync;
  /** The path as the caller gave it, for messages. */
  readonly path: string;
  /** Aborts when the database is closed. */
  readonly closed: AbortSignal;
  /** @throws StoreError `unavailable` if the file was removed, moved, replaced or overwritten */
  checkFile(): void;
  /** @throws StoreError `closed` */
  refuseIfClosed(): void;
  /**
   * Runs `work` at once, in a read transaction. While another connection holds a lock, it returns a promise instead and
   * retries `work` until `busyTimeout`, without blocking the event loop.
   *
   * @throws StoreError `closed`
   */
  read<T>(work: () => T): T | Promise<T>;
  /**
   * Runs `work` in a write transaction, like `read`; `work` may run several times. Writes keep the order of the calls.
   */
  write<T>(work: () => T): T | Promise<T>;
  /** Inside `write`: calls `tell` after the commit, once for all calls with the same function. */
  afterCommit(tell: () => void): void;
  /**
   * Rewrites the file from what is in it, and empties the write-ahead log. SQLite moves rows between pages without overwriting
   * where they were (its `secure_delete` overwrites only what is deleted), so a page anywhere may hold a copy of a deleted row.
   * A file of more than `rewriteUpTo` bytes is not rewritten. Waits for other connections; gives up after `busyTimeout`, and
   * where the disk has no space for it. Calls of one moment share one rewrite.
   */
  rewrite(): Promise<void>;
  close(): void;
}

/**
 * @param busyTimeout milliseconds
 * @param rewriteUpTo bytes
 */
export function createDatabase(
  sqlite: DatabaseSync,
  path: string,
  { busyTimeout, rewriteUpTo = 0 }: { busyTimeout: number; rewriteUpTo?: number },
): Database {
  const transaction = prepareTransaction(sqlite);
  const file = guardFile(sqlite, path);
  const closing = new AbortController();
  const closed = closing.signal;
  const afterCommit = new Set<() => void>();
  const measure = sqlite.prepare(
    "SELECT page_count AS pages, page_size AS bytes FROM pragma_page_count, pragma_page_size",
  );
  /** The last write that waits: for another connection, or for an earlier write that waits. */
  let lastWaiting: Promise<void> | undefined;
  let rewriting: Promise<void> | undefined;

  return {
    sqlite,
    path,
    closed,
    checkFile: file.check,
    refuseIfClosed,

    read(work) {
      refuseIfClosed();
      const deadline = performance.now() + busyTimeout;
      const attempt = () => {
        file.check();
        return transaction("DEFERRED", work);
      };
      try {
        return attempt();
      } catch (error) {
        refuseUnlessBusy(error, deadline);
        return pause(1).then(() => retry(attempt, deadline));
      }
    },

    write(work) {
      refuseIfClosed();
      const deadline = performance.now() + busyTimeout;
      const attempt = () => {
        file.check();
        afterCommit.clear();
        const result = transaction("IMMEDIATE", work);
        file.written();
        for (const tell of afterCommit) tell();
        return result;
      };
      if (lastWaiting) return enqueue(lastWaiting.then(() => retry(attempt, deadline)));
      try {
        return attempt();
      } catch (error) {
        refuseUnlessBusy(error, deadline);
        return enqueue(pause(1).then(() => retry(attempt, deadline)));
      }
    },

    afterCommit: (tell) => void afterCommit.add(tell),

    rewrite() {
      rewriting ??= setImmediate().then(async () => {
        rewriting = undefined;
        if (size() <= rewriteUpTo) await attemptUntilDone(vacuum);
        await attemptUntilDone(truncateLog);
      });
      return rewriting;
    },

    close() {
      if (closed.aborted) return;
      closing.abort();
      try {
        sqlite.close();
      } catch (error) {
        throw storeErrorOf(error, path);
      }
    },
  };

  function refuseIfClosed(): void {
    if (closed.aborted) throw new StoreError("closed", `The store at ${path} was closed. Open it again.`);
  }

  function refuseUnlessBusy(error: unknown, deadline: number): void {
    if (!isBusy(error) || performance.now() >= deadline) throw storeErrorOf(error, path);
  }

  async function retry<T>(work: () => T, deadline: number): Promise<T> {
    for (let attempts = 1; ; attempts++) {
      refuseIfClosed();
      try {
        return work();
      } catch (error) {
        refuseUnlessBusy(error, deadline);
      }
      await pause(attempts);
    }
  }

  function enqueue<T>(result: Promise<T>): Promise<T> {
    const leave = () => {
      if (lastWaiting === waiting) lastWaiting = undefined;
    };
    const waiting = result.then(leave, leave);
    lastWaiting = waiting;
    return result;
  }

  /** Repeats `work` while it returns false or another connection holds a lock, until `busyTimeout`. */
  async function attemptUntilDone(work: () => boolean): Promise<void> {
    const deadline = performance.now() + busyTimeout;
    for (let attempts = 1; !closed.aborted && !attempt(work) && performance.now() < deadline; attempts++) {
      await pause(attempts);
    }
  }

  function attempt(work: () => boolean): boolean {
    try {
      file.check();
      const isDone = work();
      file.written();
      return isDone;
    } catch (error) {
      if (isBusy(error)) return false;
      throw storeErrorOf(error, path);
    }
  }

  function size(): number {
    const { pages, bytes } = measure.get() ?? {};
    return Number(pages) * Number(bytes);
  }

  /** Builds the new file in memory (`temp_store`), then stores it in one transaction. */
  function vacuum(): boolean {
    try {
      sqlite.exec("VACUUM");
    } catch (error) {
      // What was deleted is deleted; to make space may be why.
      if (!isNotWritable(error)) throw error;
    }
    return true;
  }

  function truncateLog(): boolean {
    return sqlite.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.busy === 0;
  }
}

/** Grows with every attempt, and is random, so that waiting processes do not retry at the same moment. */
function pause(attempts: number): Promise<void> {
  return setTimeout(1 + Math.random() * Math.min(2 ** attempts, longestPause));
}

const longestPause = 40;

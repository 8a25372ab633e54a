import type { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { StoreError } from "@cogency/storage";
import { guardFile } from "./file-guard.ts";
import { isBusy, storeErrorOf } from "./store-error-of.ts";
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
  /** Empties the write-ahead log. Waits for readers in other connections; gives up after `busyTimeout`. */
  truncateLog(): Promise<void>;
  close(): void;
}

/** @param busyTimeout milliseconds */
export function createDatabase(sqlite: DatabaseSync, path: string, busyTimeout: number): Database {
  const transaction = prepareTransaction(sqlite);
  const file = guardFile(sqlite, path);
  const closing = new AbortController();
  const closed = closing.signal;
  const afterCommit = new Set<() => void>();
  /** The last write that waits: for another connection, or for an earlier write that waits. */
  let lastWaiting: Promise<void> | undefined;

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

    async truncateLog() {
      const deadline = performance.now() + busyTimeout;
      for (let attempts = 1; !closed.aborted && !isTruncated() && performance.now() < deadline; attempts++) {
        await pause(attempts);
      }
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

  function isTruncated(): boolean {
    try {
      const isDone = sqlite.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.busy === 0;
      file.written();
      return isDone;
    } catch (error) {
      if (isBusy(error)) return false;
      throw storeErrorOf(error, path);
    }
  }
}

/** Grows with every attempt, and is random, so that waiting processes do not retry at the same moment. */
function pause(attempts: number): Promise<void> {
  return setTimeout(1 + Math.random() * Math.min(2 ** attempts, longestPause));
}

const longestPause = 40;

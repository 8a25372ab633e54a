import type { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { type Changes, createChanges, StoreError } from "@cogency/storage";
import { guardFile } from "./file-guard.ts";
import { isBusy, storeErrorOf } from "./store-error-of.ts";
import { prepareTransaction } from "./transaction.ts";

/** An open database as the parts of the store use it. Whatever fails in it fails as a StoreError. */
export interface Database {
  readonly sqlite: DatabaseSync;
  /** For messages. */
  readonly path: string;
  /** Announced after every `write`, and when the connection is closed. */
  readonly changes: Changes;
  isClosed(): boolean;
  /** @throws StoreError `unavailable` where its file was removed, moved, replaced or overwritten */
  checkFile(): void;
  /** @throws StoreError `closed` */
  refuseIfClosed(): void;
  /**
   * Does `work` before it returns, and what it reads is of one moment. Only while another connection is in the way it
   * promises the result: `work` is then tried again until `busyTimeout`, without blocking the event loop.
   *
   * @throws StoreError `closed`
   */
  read<T>(work: () => T): T | Promise<T>;
  /** The same in a write transaction, which `work` may find begun several times. Writes are done in the order of the calls. */
  write<T>(work: () => T): T | Promise<T>;
  /** Empties the log of past writes, for which no other connection may be reading; gives up after `busyTimeout`. */
  truncateLog(): Promise<void>;
  close(): void;
}

/** @param busyTimeout milliseconds */
export function createDatabase(sqlite: DatabaseSync, path: string, busyTimeout: number): Database {
  const transaction = prepareTransaction(sqlite);
  const file = guardFile(sqlite, path);
  const changes = createChanges();
  let isClosed = false;
  /** The last of the writes that wait for another connection, or for those that do. */
  let lastWaiting: Promise<void> | undefined;

  return {
    sqlite,
    path,
    changes,
    isClosed: () => isClosed,
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
        const result = transaction("IMMEDIATE", work);
        file.written();
        changes.announce();
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

    async truncateLog() {
      const deadline = performance.now() + busyTimeout;
      for (let attempts = 1; !isClosed && !isTruncated() && performance.now() < deadline; attempts++) {
        await pause(attempts);
      }
    },

    close() {
      if (isClosed) return;
      isClosed = true;
      changes.announce();
      try {
        sqlite.close();
      } catch (error) {
        throw storeErrorOf(error, path);
      }
    },
  };

  function refuseIfClosed(): void {
    if (isClosed) throw new StoreError("closed", `The store at ${path} was closed. Open it again.`);
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
    const settle = () => {
      if (lastWaiting === waiting) lastWaiting = undefined;
    };
    const waiting = result.then(settle, settle);
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

/** Longer with every attempt and never the same, so that processes that wait for each other get apart. */
function pause(attempts: number): Promise<void> {
  return setTimeout(1 + Math.random() * Math.min(2 ** attempts, longestPause));
}

const longestPause = 40;

import { realpathSync, type Stats, statSync } from "node:fs";
import { resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { StoreError } from "@cogency/storage";
import { isBusy } from "./store-error-of.ts";

/**
 * Detects that the file of an open database is no longer the file that was opened. SQLite continues to write to a file
 * that was removed, or to a log that another program has emptied, and loses the writes that it acknowledges.
 */
export interface FileGuard {
  /**
   * Must be called before every read and write.
   *
   * @throws StoreError `unavailable` if the database or its write-ahead log was removed, moved, replaced, overwritten
   * or truncated
   */
  check(): void;
  /** Must be called after every write of this connection, so that `check` does not mistake it for another program's. */
  written(): void;
}

/**
 * Compares what `stat` says of the database, its `-wal` and its `-shm` with the last call.
 *
 * - Removed, moved or replaced: the inode number differs.
 * - Overwritten: the inode number stays, but time or size differ without a commit (`data_version` is the same). This is
 *   only detected if the log was empty when the store was opened and no other connection has committed since: other
 *   connections move their log into the database. An empty file is always detected.
 * - Truncated log: the log is shorter, and lacks frames that SQLite's index of it counts.
 */
export function guardFile(sqlite: DatabaseSync, path: string): FileGuard {
  if (path === ":memory:") return { check() {}, written() {} };
  const file = resolve(path);
  const beside = realpathSync(file);
  const paths = [file, `${beside}-wal`, `${beside}-shm`];
  const dataVersion = sqlite.prepare("PRAGMA data_version");
  const version = versionUnlessFull();
  let seen = paths.map(find);
  // With an empty log no connection can move pages into the database before the next commit.
  const isLogEmpty = !seen[1]?.size;
  let isOverwritten = false;

  return {
    check() {
      const found = paths.map(find);
      const isGone = seen.some((file, index) => file && !isSame(file, found[index]));
      const [before, now] = [seen[0], found[0]];
      const isChanged = now?.mtimeMs !== before?.mtimeMs || now?.size !== before?.size;
      isOverwritten ||= !isGone && (now?.size === 0 || (isChanged && isLogEmpty && !isVersionChanged()));
      if (!isGone && isShorter(seen[1], found[1])) isOverwritten ||= lacksFrames();
      if (isGone || isOverwritten) refuse();
      seen = found;
    },
    written() {
      const found = paths.map(find);
      // Keeps the old state of a replaced file, so that the next check refuses it.
      seen = seen.map((file, index) => (file && !isSame(file, found[index]) ? file : found[index]));
      if (seen[0] !== found[0]) refuse();
    },
  };

  /** @throws SQLite's error if another connection holds a lock; the caller retries */
  function isVersionChanged(): boolean {
    try {
      return dataVersion.get()?.data_version !== version;
    } catch (error) {
      if (isBusy(error)) throw error;
      // The index of the log points at pages that are gone.
      return false;
    }
  }

  /** @throws SQLite's error if another connection holds a lock; the caller retries */
  function lacksFrames(): boolean {
    try {
      for (;;) {
        const frames = framesInLog();
        const size = find(paths[1] ?? "")?.size ?? 0;
        // Another connection may write to the log or empty it meanwhile.
        if (frames === framesInLog()) return frames > 0 && size < logHeader + frames * frameSize();
      }
    } catch (error) {
      if (isBusy(error)) throw error;
      return true;
    }
  }

  /** How many frames the log has by its index. SQLite before 3.51 does not know NOOP, and moves them into the database. */
  function framesInLog(): number {
    return Number(sqlite.prepare("PRAGMA wal_checkpoint(NOOP)").get()?.log);
  }

  function frameSize(): number {
    return frameHeader + Number(sqlite.prepare("PRAGMA page_size").get()?.page_size);
  }

  /** The first read creates the `-shm` file. On a full disk a store still opens; its first call throws `full`. */
  function versionUnlessFull(): unknown {
    try {
      return dataVersion.get()?.data_version;
    } catch {
      return undefined;
    }
  }

  function refuse(): never {
    throw new StoreError(
      "unavailable",
      `${path} is no longer the file that was opened: it was removed, moved, replaced or overwritten. Open the store again.`,
    );
  }
}

/** Bytes, by SQLite's file format. */
const logHeader = 32;
const frameHeader = 24;

function find(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

function isShorter(before: Stats | undefined, now: Stats | undefined): boolean {
  return before !== undefined && now !== undefined && now.size < before.size;
}

function isSame(one: Stats, other: Stats | undefined): boolean {
  return one.ino === other?.ino && one.dev === other.dev;
}

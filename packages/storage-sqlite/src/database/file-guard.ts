import { realpathSync, type Stats, statSync } from "node:fs";
import { resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { StoreError } from "@cogency/storage";
import { isBusy } from "./store-error-of.ts";

/**
 * Notices that the file under an open database is no longer the one that was opened. SQLite goes on in a file without a
 * name, or in a log that another program has emptied, and loses what it acknowledges there.
 */
export interface FileGuard {
  /**
   * Call before anything is read or written.
   *
   * @throws StoreError `unavailable` if the database or its log of writes was removed, moved, replaced, overwritten or cut
   */
  check(): void;
  /** Call after this connection has written, so that `check` does not take its own changes for another program's. */
  written(): void;
}

/**
 * Removed, moved and replaced files are noticed by their inode numbers. A file that was overwritten keeps its number; its
 * time and size show it, because they change without a commit only where no store was at work. Where other connections
 * commit too, they may have moved their log into the database, and only an empty file is noticed. A log that became
 * shorter was cut by another program unless SQLite did it, which changes `data_version` for this connection.
 */
export function guardFile(sqlite: DatabaseSync, path: string): FileGuard {
  if (path === ":memory:") return { check() {}, written() {} };
  const file = resolve(path);
  const beside = realpathSync(file);
  const paths = [file, `${beside}-wal`, `${beside}-shm`];
  const dataVersion = sqlite.prepare("PRAGMA data_version");
  let version = versionIfThereIsRoom();
  let seen = paths.map(find);
  // Only then nobody is about to move anything from there into the database, unless somebody commits first.
  const isLogEmpty = !seen[1]?.size;
  let isOverwritten = false;

  return {
    check() {
      const found = paths.map(find);
      const isGone = seen.some((file, index) => file && !isSame(file, found[index]));
      const [before, now] = [seen[0], found[0]];
      const isChanged = now?.mtimeMs !== before?.mtimeMs || now?.size !== before?.size;
      isOverwritten ||= !isGone && (now?.size === 0 || (isChanged && isLogEmpty && !isVersionChanged()));
      if (!isGone && isShorter(seen[1], found[1])) {
        isOverwritten ||= !isVersionChanged();
        version = versionIfThereIsRoom();
      }
      if (isGone || isOverwritten) refuse();
      seen = found;
    },
    written() {
      const found = paths.map(find);
      // Another file of the same name is refused by the next check.
      seen = seen.map((file, index) => (file && !isSame(file, found[index]) ? file : found[index]));
      if (seen[0] !== found[0]) refuse();
    },
  };

  /** @throws if another connection is in the way, which passes */
  function isVersionChanged(): boolean {
    try {
      return dataVersion.get()?.data_version !== version;
    } catch (error) {
      if (isBusy(error)) throw error;
      // The log's index points at pages that are not there any more.
      return false;
    }
  }

  /** The first read makes a file beside the database; a store can be opened, and be told `full` later, where none fits. */
  function versionIfThereIsRoom(): unknown {
    try {
      return dataVersion.get()?.data_version;
    } catch {
      return undefined;
    }
  }

  function refuse(): never {
    throw new StoreError(
      "unavailable",
      `${path} is not the file any more that was opened: it was removed, moved, replaced or overwritten. Open the store again.`,
    );
  }
}

function find(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

function isShorter(before: Stats | undefined, now: Stats | undefined): boolean {
  return before !== undefined && now !== undefined && now.size < before.size;
}

function isSame(one: Stats, other: Stats | undefined): boolean {
  return one.ino === other?.ino && one.dev === other.dev;
}

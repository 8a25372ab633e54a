import { realpathSync, type Stats, statSync } from "node:fs";
import { resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { StoreError } from "@cogency/storage";

/**
 * Notices that the file under an open database is not the one any more that was opened. SQLite goes on in a file that has
 * no name any more, and what it acknowledges is lost when it is closed.
 */
export interface OpenedFile {
  /**
   * Before anything is read or written.
   *
   * @throws StoreError `unavailable` where the database or its log of writes was removed, moved or replaced, or where it
   * was overwritten or cut off
   */
  check(): void;
  /** After this connection has written: what changed by that is no other's work. */
  written(): void;
}

/**
 * Removed, moved and replaced files are told by their numbers. A file that was overwritten keeps its number, and is told by
 * its time and size: these change without anybody's commit only where no store was at work. Where other connections
 * commit too, they may have moved their log into the database, and only an empty file is noticed.
 */
export function openedFile(database: DatabaseSync, path: string): OpenedFile {
  if (path === ":memory:") return { check() {}, written() {} };
  const file = resolve(path);
  const beside = realpathSync(file);
  const paths = [file, `${beside}-wal`, `${beside}-shm`];
  const dataVersion = database.prepare("PRAGMA data_version");
  const opened = versionIfThereIsRoom();
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
      isOverwritten ||=
        !isGone && (now?.size === 0 || (isChanged && isLogEmpty && dataVersion.get()?.data_version === opened));
      if (isGone || isOverwritten) refuse();
      seen = found;
    },
    written() {
      const [before] = seen;
      seen = seen.map((file, index) => (index > 0 && file) || find(paths[index] as string));
      if (before && !isSame(before, seen[0])) {
        seen[0] = before;
        refuse();
      }
    },
  };

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

function isSame(one: Stats, other: Stats | undefined): boolean {
  return one.ino === other?.ino && one.dev === other.dev;
}

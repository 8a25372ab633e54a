import { stat } from "node:fs/promises";
import { type Store, StoreError } from "@cogency/storage";
import { sqliteStore } from "@cogency/storage-sqlite";

/**
 * The store in this file. SQLite itself takes a device such as /dev/null for an empty database, and leaves a journal
 * beside it.
 *
 * @throws StoreError if it cannot be opened
 */
export async function openStore(path: string): Promise<Store> {
  // What cannot be looked at is for SQLite to tell.
  const found = path === ":memory:" ? undefined : await stat(path).catch(() => undefined);
  if (found && !found.isFile()) {
    throw new StoreError("unavailable", `${path} cannot be used as a store: it is no regular file.`);
  }
  return sqliteStore({ path });
}

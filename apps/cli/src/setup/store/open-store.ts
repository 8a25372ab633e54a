import { stat } from "node:fs/promises";
import { type Store, StoreError } from "@cogency/storage";
import { sqliteStore } from "@cogency/storage-sqlite";
import { isServer, refuseOtherAddress, shownStore } from "./store-address.ts";

/**
 * The store in this file, or on the server at this address. SQLite itself takes a device such as /dev/null for an empty
 * database, and leaves a journal beside it.
 *
 * @throws StoreError if it cannot be opened, UsageError for an address of another kind
 */
export async function openStore(store: string): Promise<Store> {
  refuseOtherAddress(store);
  if (isServer(store)) {
    const { postgresStore } = await import("@cogency/storage-postgres");
    return postgresStore({ url: store });
  }
  // What cannot be looked at is for SQLite to tell.
  const found = store === ":memory:" ? undefined : await stat(store).catch(() => undefined);
  if (found && !found.isFile()) {
    throw new StoreError("unavailable", `${shownStore(store)} cannot be used as a store: it is not a regular file.`);
  }
  return sqliteStore({ path: store });
}

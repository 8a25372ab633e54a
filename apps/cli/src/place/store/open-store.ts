import { stat } from "node:fs/promises";
import { type Store, StoreError } from "@cogency/storage";
import { sqliteStore } from "@cogency/storage-sqlite";
import { isServer, refuseOtherAddress, shownStore } from "./store-address.ts";

/**
 * Opens the store in this file, or on the server at this address. Refuses a device such as /dev/null, which SQLite would
 * take for an empty database, leaving a journal beside it.
 *
 * @param readOnlyIfNeeded whether a file that cannot be written is opened to be read only
 * @throws StoreError if it cannot be opened, UsageError for an address of another kind
 */
export async function openStore(store: string, { readOnlyIfNeeded = false } = {}): Promise<Store> {
  refuseOtherAddress(store);
  if (isServer(store)) {
    const { postgresStore } = await import("@cogency/storage-postgres");
    return postgresStore({ url: store });
  }
  // SQLite reports a file that cannot be examined.
  const found = store === ":memory:" ? undefined : await stat(store).catch(() => undefined);
  if (found && !found.isFile()) {
    throw new StoreError("unavailable", `${shownStore(store)} cannot be used as a store: it is not a regular file.`);
  }
  return sqliteStore({ path: store, readOnlyIfNeeded });
}

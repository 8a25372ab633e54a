import type { Store } from "@cogency/storage";
import { postgresStore } from "@cogency/storage-postgres";
import { sqliteStore } from "@cogency/storage-sqlite";

/** The address of a database, or the path of a file. */
export function openStore(address: string): Promise<Store> {
  return address.startsWith("postgres") ? postgresStore({ url: address }) : sqliteStore({ path: address });
}

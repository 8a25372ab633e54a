import type { Store } from "@cogency/storage";
import { postgresStore } from "@cogency/storage-postgres";
import { sqliteStore } from "@cogency/storage-sqlite";

/** Opens the store of a site: a file of SQLite, or the address of a PostgreSQL database. */
export function openStore(place: string): Promise<Store> {
  return place.startsWith("postgres") ? postgresStore({ url: place, liveness: true }) : sqliteStore({ path: place });
}

import type { Store } from "@cogency/storage";
import { postgresStore } from "@cogency/storage-postgres";
import { sqliteStore } from "@cogency/storage-sqlite";

/** Where the store is. */
export type StorePlace = { path: string } | { url: string; liveness?: boolean };

export function openCrashStore(place: StorePlace): Promise<Store> {
  return "path" in place ? sqliteStore(place) : postgresStore(place);
}

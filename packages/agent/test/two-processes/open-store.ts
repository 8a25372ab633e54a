import type { Store } from "@cogency/storage";

/** Opens the store of an address: a PostgreSQL URL, or the path of a SQLite file. Loads only the adapter that it needs. */
export async function openStore(address: string): Promise<Store> {
  if (address.startsWith("postgres:")) {
    const { postgresStore } = await import("@cogency/storage-postgres");
    // The notice of a process that was killed may be lost: the others then look by themselves.
    return postgresStore({ url: address, max: 3, pollInterval: 200 });
  }
  const { sqliteStore } = await import("@cogency/storage-sqlite");
  return sqliteStore({ path: address });
}

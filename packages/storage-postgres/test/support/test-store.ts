import type { Store } from "@cogency/storage";
import { createDatabase } from "@tooling/postgres";
import { postgresUrl } from "@tooling/postgres/describe";
import { onTestFinished } from "vitest";
import { type PostgresStoreOptions, postgresStore } from "../../src/index.ts";

/** The address of an empty database that is removed when the running test ends. */
export async function freshDatabase(server: string = postgresUrl()): Promise<string> {
  const { url, drop } = await createDatabase(server);
  onTestFinished(drop);
  return url;
}

/** A store that is closed when the running test ends. */
export async function openStore(options: PostgresStoreOptions): Promise<Store> {
  const store = await postgresStore(options);
  onTestFinished(() => store.close());
  return store;
}

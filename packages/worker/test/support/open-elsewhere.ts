import { postgresStore } from "@cogency/storage-postgres";
import { storeDispatcher } from "../../src/index.ts";

/** Opens a store in PostgreSQL, and what wakes its workers, as a process of the conformance kit does. */
export async function openElsewhere({ url }: { url: string }) {
  const store = await postgresStore({ url, max: 4, liveness: true });
  return { store, dispatcher: storeDispatcher(store), close: () => store.close() };
}

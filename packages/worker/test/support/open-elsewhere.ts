import { postgresStore } from "@cogency/storage-postgres";
import { storeDispatcher } from "../../src/index.ts";

/** How a process of the conformance kit opens a store in PostgreSQL, and what wakes its workers. */
export async function openElsewhere(options: { url: string; schema: string }) {
  const store = await postgresStore({ ...options, max: 4 });
  return { store, dispatcher: storeDispatcher(store), close: () => store.close() };
}

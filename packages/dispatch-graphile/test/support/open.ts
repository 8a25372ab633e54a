import { postgresStore } from "@cogency/storage-postgres";
import { graphileDispatcher } from "../../src/index.ts";

/** Opens a store and the dispatcher on one database, as a process of the conformance kit does. */
export async function open({ url }: { url: string }) {
  const store = await postgresStore({ url, max: 4 });
  // A restart of the server is no news to the kit.
  const dispatcher = await graphileDispatcher({ url, warn: () => {} });
  const close = async () => {
    await dispatcher.close();
    await store.close();
  };
  return { store, dispatcher, close };
}

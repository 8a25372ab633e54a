import { sqliteStore } from "@cogency/storage-sqlite";
import { redisDispatcher } from "../../src/index.ts";

/** Opens a store in a file and the dispatcher, as a process of the conformance kit does. */
export async function open({ url, name, file }: { url: string; name: string; file: string }) {
  const store = await sqliteStore({ path: file });
  // A restart of the server is no news to the kit.
  const dispatcher = await redisDispatcher({ url, name, warn: () => {} });
  const close = async () => {
    await dispatcher.close();
    await store.close();
  };
  return { store, dispatcher, close };
}

import type { Store } from "@cogency/storage";
import { postgresStore } from "@cogency/storage-postgres";
import { type Dispatcher, storeDispatcher } from "@cogency/worker";

export interface OpenOptions {
  url: string;
  dispatcher: "storeDispatcher" | "pg-boss";
  liveness?: boolean;
}

/** A store and a dispatcher on one database, with their defaults. */
export async function openWith({ url, dispatcher, liveness = false }: OpenOptions): Promise<{
  store: Store;
  dispatcher: Dispatcher;
  close(): Promise<void>;
}> {
  const store = await postgresStore({ url, liveness });
  if (dispatcher === "storeDispatcher") return { store, dispatcher: storeDispatcher(store), close: store.close };
  const engine = await pgBoss(url);
  const close = async () => {
    await engine.close();
    await store.close();
  };
  return { store, dispatcher: engine, close };
}

/** By its path: that package depends on this one, so it cannot be a dependency of it. */
async function pgBoss(url: string): Promise<Dispatcher & { close(): Promise<void> }> {
  const path = new URL("../../dispatch-pg-boss/src/index.ts", import.meta.url).href;
  const { pgBossDispatcher } = await import(path);
  return pgBossDispatcher({ url });
}

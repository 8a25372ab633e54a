import { graphileDispatcher } from "@cogency/dispatch-graphile";
import { pgBossDispatcher } from "@cogency/dispatch-pg-boss";
import { redisDispatcher } from "@cogency/dispatch-redis";
import type { Store } from "@cogency/storage";
import { postgresStore } from "@cogency/storage-postgres";
import { type Dispatcher, storeDispatcher } from "@cogency/worker";

export interface Addresses {
  postgres: string;
  redis: string;
}

/** A dispatcher beside a store in PostgreSQL, opened as one process opens it. */
export interface Opened {
  store: Store;
  dispatcher: Dispatcher;
  close(): Promise<void>;
}

export type Open = (addresses: Addresses) => Promise<Opened>;

export const contenders: Readonly<Record<string, Open>> = {
  storeDispatcher: open((store) => storeDispatcher(store)),
  "pg-boss": open((_, { postgres: url }) => pgBossDispatcher({ url })),
  graphile: open((_, { postgres: url }) => graphileDispatcher({ url })),
  redis: open((_, { redis: url }) => redisDispatcher({ url })),
};

type Closable = Dispatcher & { close?(): Promise<void> };

function open(make: (store: Store, addresses: Addresses) => Closable | Promise<Closable>): Open {
  return async (addresses) => {
    const store = await postgresStore({ url: addresses.postgres });
    const dispatcher = await make(store, addresses);
    const close = async () => {
      await dispatcher.close?.();
      await store.close();
    };
    return { store, dispatcher, close };
  };
}

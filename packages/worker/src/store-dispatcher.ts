import { wait } from "@cogency/async";
import { checkOption, checkOptions, having, type OptionTable, required, text } from "@cogency/protocol/options";
import { isStoreError, type Store } from "@cogency/storage";
import type { Dispatcher } from "./dispatcher.ts";

export interface StoreDispatcherOptions {
  /** The scope of the agent. */
  scope?: string | undefined;
}

/**
 * The dispatcher that needs no engine: the store itself says when something is due, through LISTEN in PostgreSQL, and across the
 * processes of one machine in SQLite.
 */
export function storeDispatcher(store: Pick<Store, "watchWakes">, options: StoreDispatcherOptions = {}): Dispatcher {
  checkOption("storeDispatcher", "store", store, required(having("a store", "watchWakes")));
  checkOptions("storeDispatcher", options, { scope: text } satisfies OptionTable<StoreDispatcherOptions>);
  return {
    // The write that made the conversation due has woken those who watch.
    async wake() {},
    async work(handler) {
      const ending = new AbortController();
      const { signal } = ending;
      const watching = (async () => {
        while (!signal.aborted) {
          try {
            for await (const _ of store.watchWakes({ ...options, signal })) await handler().catch(() => {});
          } catch (error) {
            if (isStoreError(error) && error.code === "closed") return;
            // The worker looks by itself meanwhile.
            await wait(retryAfter, signal);
          }
        }
      })();
      return async () => {
        ending.abort();
        await watching;
      };
    },
  };
}

/** Milliseconds until a store that failed is watched again. */
const retryAfter = 1000;

import type { Store } from "@cogency/storage";
import type { Dispatcher } from "./dispatcher.ts";

export interface WakingStoreOptions {
  /**
   * Called with the error of a wake that failed. The message or timer is stored all the same, and a worker finds it when it looks by
   * itself. Defaults to ignoring it.
   */
  onLostWake?: ((error: unknown) => void) | undefined;
}

/**
 * Wraps a store so that each message and each timer also wakes a worker through the dispatcher. Give it to the agent of the process
 * that takes messages, such as a web server.
 */
export function wakingStore(
  store: Store,
  dispatcher: Pick<Dispatcher, "wake">,
  { onLostWake = () => {} }: WakingStoreOptions = {},
): Store {
  const waking: Pick<Store, "post" | "wake"> = {
    async post(key, message, options) {
      await store.post(key, message, options);
      await dispatcher.wake(key, { at: options.at, reason: "inbox" }).catch(onLostWake);
    },
    async wake(key, options) {
      await store.wake(key, options);
      await dispatcher.wake(key, { at: options.at, reason: `timer:${options.id}` }).catch(onLostWake);
    },
  };
  return new Proxy(store, {
    get(target, name) {
      if (name === "post" || name === "wake") return waking[name];
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

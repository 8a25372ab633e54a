import { settlesWithin } from "@cogency/async";
import { callback, checkOption, checkOptions, having, type OptionTable, required } from "@cogency/protocol/options";
import type { Key, Store } from "@cogency/storage";
import type { Dispatcher } from "./dispatcher.ts";

export interface WakingStoreOptions {
  /**
   * Called with the error of a wake that failed. What is due is stored all the same, and a worker finds it when it looks by
   * itself. Defaults to ignoring it.
   */
  onLostWake?: ((error: unknown) => void) | undefined;
}

/**
 * Wraps a store so that each message, each timer, and each conversation that is put off or released also wakes a worker through the
 * dispatcher. Give it to the agent of the process that takes messages, such as a web server. An engine that fails or hangs delays
 * a call by a second at most.
 */
export function wakingStore(
  store: Store,
  dispatcher: Pick<Dispatcher, "wake">,
  options: WakingStoreOptions = {},
): Store {
  checkOption("wakingStore", "store", store, required(having("a store", "post", "wake")));
  checkOption("wakingStore", "dispatcher", dispatcher, required(having("a dispatcher", "wake")));
  checkOptions("wakingStore", options, { onLostWake: callback } satisfies OptionTable<WakingStoreOptions>);
  const { onLostWake = () => {} } = options;
  const wake = (key: Key, reason: string, at?: number) =>
    settlesWithin(dispatcher.wake(key, { at, reason }).catch(onLostWake), longestWake);
  const waking: Pick<Store, "post" | "wake" | "defer" | "unpark"> = {
    async post(key, message, options) {
      await store.post(key, message, options);
      await wake(key, "inbox", options.at);
    },
    async wake(key, options) {
      await store.wake(key, options);
      await wake(key, `timer:${options.id}`, options.at);
    },
    async defer(claim, at) {
      const stood = await store.defer(claim, at);
      if (stood) await wake(claim.key, "deferred", at);
      return stood;
    },
    async unpark(key) {
      const wasParked = await store.unpark(key);
      if (wasParked) await wake(key, "unparked");
      return wasParked;
    },
  };
  return new Proxy(store, {
    get(target, name) {
      if (Object.hasOwn(waking, name)) return waking[name as keyof typeof waking];
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** Milliseconds that a call waits for the engine. */
const longestWake = 1000;

import type { Store } from "../store.ts";
import { type MemoryStoreOptions, memoryStore as storeInMemory } from "./memory-store.ts";

const volatile = new WeakSet<Store>();

/** A store in memory. Its data ends with the process. Runs in Node, browsers and workers. Throws TypeError for wrong options. */
export function memoryStore(options?: MemoryStoreOptions): Store {
  const store = storeInMemory(options);
  volatile.add(store);
  return store;
}

/**
 * Whether a store is known to lose everything with the process, so that nothing it holds is read by another one: `memoryStore()` itself.
 * Any other store counts as one that lasts.
 */
export function isVolatile(store: Store): boolean {
  return volatile.has(store);
}

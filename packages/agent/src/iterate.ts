import type { Outlet } from "./outlet.ts";

/** Leaves the iterations that nobody can go on with, because the garbage collector took their iterators. */
const dropped = /* @__PURE__ */ new FinalizationRegistry<() => Promise<void>>((leave) => {
  // The result of the run has the error.
  leave().catch(() => {});
});

/**
 * The iterator of an outlet. `leave` may not hold it, nor may what the loop reaches: a loop would then never end whose consumer has
 * dropped the iterator.
 */
export function iterate<T>(outlet: Outlet<never, T>, leave: () => Promise<void>): AsyncIterator<T, undefined> {
  const iterator: AsyncIterator<T, undefined> = {
    // A pull that waits holds the iterator.
    next: () => outlet.next(iterator),
    async return() {
      await leave();
      return { done: true, value: undefined };
    },
  };
  dropped.register(iterator, leave);
  return iterator;
}

import type { Outlet } from "./outlet.ts";

/** Leaves the iterations that nobody can go on with, because the garbage collector took their iterators. */
const dropped = /* @__PURE__ */ new FinalizationRegistry<() => Promise<void>>((leave) => {
  // The result of the run has the error.
  leave().catch(() => {});
});

/**
 * The iterator of an outlet. `leave` may not hold it, nor may what the loop reaches: a loop would then never end whose consumer has
 * dropped the iterator.
 *
 * @param over resolves when the loop is over. Nothing is kept of it then: errors that were made in a pull hold the iterator, by their
 * stacks, and a loop may hold such errors.
 */
export function iterate<T>(
  outlet: Outlet<never, T>,
  leave: () => Promise<void>,
  over: Promise<unknown>,
): AsyncIterator<T, undefined> {
  const iterator: AsyncIterator<T, undefined> = {
    // A pull that waits holds the iterator.
    next: () => outlet.next(iterator),
    async return() {
      await leave();
      return { done: true, value: undefined };
    },
  };
  dropped.register(iterator, leave, leave);
  forgetWhen(over, leave);
  return iterator;
}

/** Not in `iterate`: a function that is made there holds the iterator. */
function forgetWhen(over: Promise<unknown>, leave: () => Promise<void>): void {
  void over.then(() => dropped.unregister(leave));
}

import { assert, assertEqual, pause, within } from "@cogency/protocol/testkit";

export interface Watcher {
  /** Resolves at the next yield. Rejects at the end, and if nothing comes in time. */
  yields(what: string): Promise<void>;
  ends(): Promise<void>;
  /** The rest of the iteration, without a time limit. */
  next(): Promise<IteratorResult<void>>;
  /** Asserts that nothing is yielded while `work` is done, nor for a moment after it. Then only `leave` may be called. */
  isQuiet(what: string, work?: () => Promise<unknown>): Promise<void>;
  leave(): Promise<void>;
}

/** Iterates a `watch` or `watchWakes`, and asserts what comes next. */
export function watcherOf(watched: AsyncIterable<void>, patience: number): Watcher {
  const yields = watched[Symbol.asyncIterator]();
  const next = () => {
    const result = yields.next();
    // A case that has failed no longer awaits this: the rejection must not end the process.
    result.catch(() => {});
    return result;
  };
  const inTime = (what: string) => {
    const result = within(next(), patience, `Nothing was yielded ${what}`);
    result.catch(() => {});
    return result;
  };
  return {
    next,
    async yields(what) {
      const { done } = await inTime(what);
      assert(done !== true, `The iteration must not end ${what}.`);
    },
    async ends() {
      assertEqual((await inTime("at the end")).done, true, "whether the iteration is over");
    },
    async isQuiet(what, work) {
      let isYielded = false;
      next().then(
        ({ done }) => {
          isYielded = done !== true;
        },
        () => {},
      );
      await work?.();
      await pause(100);
      assert(!isYielded, `Nothing must be yielded ${what}.`);
    },
    async leave() {
      await within(Promise.resolve(yields.return?.()), patience, "Leaving the iteration did not end");
    },
  };
}

import { writeSync } from "node:fs";
import type { Store } from "@cogency/storage";

/** Where a process is killed. It passes a mark before and after each write to the store, and around each payment. */
export interface KillPoint {
  /** The number of the mark, from 1. */
  mark: number;
  /** Milliseconds that the process goes on after the mark; undefined if it does nothing more. */
  delay?: number | undefined;
}

/** Passes a mark. */
export type Mark = (name: string) => void;

/** At the point, the process says where it is, and waits to be killed or goes on until it is. */
export function marksUntil(point: KillPoint | undefined): Mark {
  let passed = 0;
  return (name) => {
    if (++passed !== point?.mark) return;
    writeSync(1, `${name}\n`);
    if (point.delay === undefined) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  };
}

/** A store whose writes pass marks. */
export function marked(store: Store, mark: Mark): Store {
  const around = <A extends unknown[], R>(name: string, write: (...given: A) => Promise<R>) => {
    return async (...given: A): Promise<R> => {
      mark(`before ${name}`);
      const result = await write(...given);
      mark(`after ${name}`);
      return result;
    };
  };
  return {
    ...store,
    append: around("append", store.append),
    post: around("post", store.post),
    lease: around("lease", store.lease),
    done: around("done", store.done),
    defer: around("defer", store.defer),
  };
}

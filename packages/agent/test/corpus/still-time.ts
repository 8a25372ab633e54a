import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import { createHash } from "node:crypto";

/** Milliseconds since 1970 at which every replay begins. */
const beginning = 1_000_000;

/** Milliseconds of a replay's own time after which it counts as one that hangs. */
const longest = 300_000;

/** Work that never ends. */
export class HangError extends Error {
  override readonly name = "HangError";
}

/** The timers that the replay has set; empty outside of `inStillTime`. */
let timers = new Map<object, { at: number; order: number; call: () => void }>();

/** Tells what the replay does from what goes on beside it, such as the end of an earlier test of the same worker. */
const ofReplay = new AsyncLocalStorage<true>();

/** The number of timers that the replay has set. */
export function timersSet(): number {
  return timers.size;
}

/**
 * Carries out `work` in a time of its own. Timers and clocks stand still while there is work, and jump to the next timer
 * when there is none, so that neither a slow machine nor a busy one changes the order of anything. Hashes are computed at
 * once, not on another thread. Timers of others stay what they are. Replays must not overlap.
 * @throws HangError if the work waits although no timer is set, or for more than five minutes of its own time
 */
export async function inStillTime(work: () => Promise<void>): Promise<void> {
  let now = beginning;
  let order = 0;
  timers = new Map();

  const { setTimeout: realSetTimeout, clearTimeout: realClearTimeout } = globalThis;
  const start = (call: (...args: unknown[]) => void, delay = 0, ...args: unknown[]) => {
    if (!ofReplay.getStore()) return realSetTimeout(call, delay, ...args);
    const timer = { ref: () => timer, unref: () => timer, hasRef: () => true };
    timers.set(timer, { at: now + Math.max(1, delay), order: order++, call: AsyncResource.bind(() => call(...args)) });
    return timer;
  };
  const stop = (timer: NodeJS.Timeout | undefined) => {
    if (!timer || timers.delete(timer)) return;
    // A timer of the replay that has rung already is none of Node's; `clearTimeout` takes it for nothing.
    realClearTimeout(timer);
  };
  const restore = replaced([
    [globalThis, "setTimeout", start],
    [globalThis, "clearTimeout", stop],
    [Date, "now", () => now],
    [performance, "now", () => now - beginning],
    [crypto.subtle, "digest", digestAtOnce],
  ]);
  let isDone = false;
  const done = ofReplay.run(true, work).finally(() => {
    isDone = true;
  });
  // The loop below may throw first.
  done.catch(() => {});
  try {
    for (let idle = 0; ; ) {
      await new Promise((resolve) => setImmediate(resolve));
      if (isDone) return await done;
      const [next] = [...timers].sort(([, a], [, b]) => a.at - b.at || a.order - b.order);
      if (!next) {
        if (++idle === 20) throw new HangError("The replay waits, and no timer is set.");
        continue;
      }
      idle = 0;
      const [timer, { at, call }] = next;
      timers.delete(timer);
      now = Math.max(now, at);
      if (now > beginning + longest) throw new HangError(`The replay is not over after ${longest} ms of its own time.`);
      call();
    }
  } finally {
    restore();
  }
}

type Replacement = [holder: object, name: string, value: unknown];

/** Puts other values in the places; returns a function that puts the earlier ones back. */
function replaced(replacements: readonly Replacement[]): () => void {
  const before = replacements.map(([holder, name]) => Object.getOwnPropertyDescriptor(holder, name));
  for (const [holder, name, value] of replacements) {
    Object.defineProperty(holder, name, { value, configurable: true, writable: true, enumerable: true });
  }
  return () => {
    for (const [index, [holder, name]] of replacements.entries()) {
      const descriptor = before[index];
      if (descriptor) Object.defineProperty(holder, name, descriptor);
      else Reflect.deleteProperty(holder, name);
    }
  };
}

async function digestAtOnce(algorithm: string, data: Uint8Array): Promise<ArrayBuffer> {
  const digest = createHash(algorithm.replace("-", "").toLowerCase()).update(data).digest();
  return new Uint8Array(digest).buffer;
}

import { isPromise } from "@cogency/async";
import type { Json } from "@cogency/protocol";

/** A generator's object, of a plain or an async one. */
type Steps = Generator<unknown, unknown> | AsyncGenerator<unknown, unknown>;

/** Whether a value is the object of a generator. Iterators of collections and streams have no `throw`. Never throws. */
export function isGenerator(value: unknown): value is Steps {
  if (typeof value !== "object" || value === null) return false;
  try {
    const { next, return: end, throw: fail } = value as Partial<Record<string, unknown>>;
    return typeof next === "function" && typeof end === "function" && typeof fail === "function";
  } catch {
    return false;
  }
}

/**
 * Runs a generator to its end. Values that it yields are progress, and the value that it returns is the result. A promise
 * that a plain generator yields is awaited, as an async generator does by itself. When the signal aborts, the generator
 * returns at its next `yield`: its `finally` blocks run to their end, also if they yield, and the promise rejects with the
 * reason of the signal.
 */
export async function runGenerator(steps: Steps, signal: AbortSignal, progress: (update: Json) => void) {
  let sliceBegan = Date.now();
  let isEnding = false;
  let step = await steps.next();
  while (!step.done) {
    const update = isPromise(step.value) ? await unlessAborted(step.value, isEnding ? undefined : signal) : step;
    if (!signal.aborted && "value" in update) progress(update.value as Json);
    if (Date.now() - sliceBegan >= longestSlice) {
      // A generator that never waits would block all other work, also its own timeout.
      await new Promise((resume) => setTimeout(resume));
      sliceBegan = Date.now();
    }
    if (signal.aborted && !isEnding) {
      isEnding = true;
      step = await steps.return(undefined);
    } else {
      step = await ("error" in update ? steps.throw(update.error) : steps.next());
    }
  }
  if (isEnding) throw signal.reason;
  return step.value;
}

/** Milliseconds of work at a stretch. */
const longestSlice = 20;

/** The value or the error of a promise; the reason of the signal as an error if that aborts first. */
function unlessAborted(
  promise: Promise<unknown>,
  signal: AbortSignal | undefined,
): Promise<{ value: unknown } | { error: unknown }> {
  return new Promise((resolve) => {
    const leave = () => resolve({ error: signal?.reason });
    if (signal?.aborted) leave();
    signal?.addEventListener("abort", leave);
    Promise.resolve(promise)
      .then(
        (value) => resolve({ value }),
        (error) => resolve({ error }),
      )
      .finally(() => signal?.removeEventListener("abort", leave));
  });
}

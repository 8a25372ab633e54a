import type { Json } from "@cogency/protocol";
import { isPromise } from "../async/is-promise.ts";

/** A generator's object, of a plain or an async one. */
type Steps = Generator<unknown, unknown> | AsyncGenerator<unknown, unknown>;

/** What iterators of collections and streams lack is `throw`: those are results. Never throws. */
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
 * Runs a generator to its end: what it yields is progress, what it returns is the result. A promise that a plain one
 * yields is waited for, as an async one does by itself. When the signal aborts, the generator is made to return at its next
 * `yield`, so that its `finally` blocks run, also past a `yield` of their own, and the promise rejects with the signal's reason.
 */
export async function runGenerator(steps: Steps, signal: AbortSignal, progress: (update: Json) => void) {
  let breath = Date.now();
  let isEnding = false;
  let step = await steps.next();
  while (!step.done) {
    const update = isPromise(step.value) ? await settled(step.value, isEnding ? undefined : signal) : step;
    if (!signal.aborted && "value" in update) progress(update.value as Json);
    if (Date.now() - breath >= longestBreath) {
      // A generator that never waits would hold up everything else, also what is to end it.
      await new Promise((resume) => setTimeout(resume));
      breath = Date.now();
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

/** Milliseconds. */
const longestBreath = 20;

/** What becomes of a promise; once the signal aborts, nobody waits for it any more. */
function settled(
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

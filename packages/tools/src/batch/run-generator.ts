import type { Json } from "@cogency/protocol";

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
 * Runs a generator to its end: what it yields is progress, what it returns is the result. When the signal aborts, it is
 * made to return at its next `yield`, so that its `finally` blocks run, and the promise rejects with the signal's reason.
 */
export async function runGenerator(steps: Steps, signal: AbortSignal, progress: (update: Json) => void) {
  let breath = Date.now();
  while (true) {
    const step = await steps.next();
    if (step.done) return step.value;
    if (!signal.aborted) progress(step.value as Json);
    if (Date.now() - breath >= longestBreath) {
      // A generator that never waits would hold up everything else, also what is to end it.
      await new Promise((resume) => setTimeout(resume));
      breath = Date.now();
    }
    if (!signal.aborted) continue;
    await steps.return(undefined);
    throw signal.reason;
  }
}

/** Milliseconds. */
const longestBreath = 20;

import { wait } from "@cogency/async";
import { isStoreFailure } from "../errors.ts";

/**
 * Repeats a request to a store that is unavailable, up to three times within a quarter of a second. `work` must be safe to
 * repeat: a store keeps an append with a `batch` id once, also if the answer to the first try was lost.
 */
export async function askAgain<T>(work: () => Promise<T>): Promise<T> {
  for (const delay of delays) {
    try {
      return await work();
    } catch (error) {
      if (!isStoreFailure(error, "unavailable")) throw error;
    }
    await wait(delay);
  }
  return work();
}

/** Milliseconds between two tries. */
const delays = [10, 50, 150];

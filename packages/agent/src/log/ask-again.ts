import { wait } from "@cogency/async";
import { isStoreFailure } from "../errors.ts";

/**
 * Asks a store again, a few times within a quarter of a second, while it says that it is unavailable. `work` must be safe
 * to repeat: an append that names its batch is stored once, also where the answer to the first try was lost.
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

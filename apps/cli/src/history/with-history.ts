import { existsSync } from "node:fs";
import type { Store } from "@cogency/storage";
import { openStore } from "../open-store.ts";
import { isServer, refuseOtherAddress, shownStore } from "../store-address.ts";
import { visible } from "../text.ts";
import { UsageError } from "../usage-error.ts";

/** Which conversations a command is about. */
export interface HistoryOptions {
  store: string;
  /** Whose; those of the anonymous user when absent. */
  user?: string;
}

/**
 * Looks at a store that must be there: to look is not to create.
 *
 * @throws UsageError if it is not
 */
export async function withHistory<T>({ store: place }: HistoryOptions, use: (store: Store) => Promise<T>): Promise<T> {
  refuseOtherAddress(place);
  if (!isServer(place) && !existsSync(place)) {
    throw new UsageError(`There is no conversation yet: ${visible(shownStore(place))} does not exist.`);
  }
  const store = await openStore(place);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

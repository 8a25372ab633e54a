import { existsSync } from "node:fs";
import type { Store } from "@cogency/storage";
import { UsageError } from "../../base/errors/usage-error.ts";
import { visible } from "../../base/terminal/text.ts";
import { openStore } from "./open-store.ts";
import { isServer, refuseOtherAddress, shownStore } from "./store-address.ts";

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
  return inStore(place, false, use);
}

/** Like `withHistory`, for a command that only reads: the disk may be full or read-only. */
export async function readHistory<T>({ store: place }: HistoryOptions, use: (store: Store) => Promise<T>): Promise<T> {
  return inStore(place, true, use);
}

/** Whether a store is there, as a file or on a server. */
export function isStoreThere(place: string): boolean {
  refuseOtherAddress(place);
  return isServer(place) || existsSync(place);
}

async function inStore<T>(place: string, readOnlyIfNeeded: boolean, use: (store: Store) => Promise<T>): Promise<T> {
  if (!isStoreThere(place)) {
    throw new UsageError(`There is no conversation yet: ${visible(shownStore(place))} does not exist.`);
  }
  const store = await openStore(place, { readOnlyIfNeeded });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

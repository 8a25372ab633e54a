import type { Store } from "@cogency/storage";

/**
 * Returns the names of the user's conversations, the oldest first, so that an import keeps their order. Reads them in one
 * request: if the list changed between two pages, some would be missed.
 */
export async function allNames(store: Store, user: string | undefined): Promise<string[]> {
  const found = await store.conversations({ user, limit: Number.POSITIVE_INFINITY });
  return found.map(({ conversation }) => conversation).reverse();
}

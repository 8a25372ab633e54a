import type { Store } from "@cogency/storage";

/**
 * The names of the user's conversations, the oldest first: who reads them back then has the same order. They are asked for
 * at once: of a list that changes from page to page some would be missed.
 */
export async function allNames(store: Store, user: string | undefined): Promise<string[]> {
  const found = await store.conversations({ user, limit: Number.POSITIVE_INFINITY });
  return found.map(({ conversation }) => conversation).reverse();
}

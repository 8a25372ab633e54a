import type { Key, Store } from "@cogency/storage";

/**
 * Whether a conversation belongs to a scope: its first record must be an `origin` record that names it. Every conversation
 * belongs to an absent scope.
 */
export async function isInScope(store: Pick<Store, "load">, key: Key, scope: string | undefined): Promise<boolean> {
  if (scope === undefined) return true;
  const [first] = await store.load(key, { types: ["record"], limit: 1 });
  return first?.type === "record" && first.kind === "origin" && first.data?.scope === scope;
}

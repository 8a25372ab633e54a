import type { Key, Store } from "@cogency/storage";
import { Problem } from "../problem.ts";

interface Asking {
  store: Pick<Store, "load">;
  key: Key;
}

/** @throws Problem `not_found` for a conversation without events, and what the store throws */
export async function checkExists({ store, key }: Asking): Promise<void> {
  const last = await store.load(key, { last: 1 });
  if (last.length === 0) throw new Problem("not_found", "There is no such conversation.");
}

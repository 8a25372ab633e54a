import { Problem } from "../problem.ts";
import type { AskedOfOne } from "../route.ts";

/** @throws Problem `not_found` for a conversation without events, and what the store throws */
export async function checkExists({ store, key }: AskedOfOne): Promise<void> {
  const last = await store.load(key, { last: 1 });
  if (last.length === 0) throw new Problem("not_found", "There is no such conversation.");
}

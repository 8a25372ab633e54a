import type { Store } from "@cogency/storage";
import { contents } from "./samples.ts";

/** The texts of the first `count` events that a follower receives. */
export async function followUpTo(store: Store, conversation: string, count: number): Promise<string[]> {
  const seen: string[] = [];
  for await (const event of store.follow({ conversation })) {
    seen.push(...contents([event]));
    if (seen.length === count) break;
  }
  return seen;
}

import type { Store } from "@cogency/storage";
import { contents } from "./samples.ts";

/** What the first `count` events of a conversation say, as a follower sees them. */
export async function followUpTo(store: Store, conversation: string, count: number): Promise<string[]> {
  const seen: string[] = [];
  for await (const event of store.follow({ conversation })) {
    seen.push(...contents([event]));
    if (seen.length === count) break;
  }
  return seen;
}

import type { Store } from "@cogency/storage";
import { oneLine, visible } from "./text.ts";
import { UsageError } from "./usage-error.ts";

/** There is no such conversation in the store, which is the file `path`; it names those there are. */
export async function unknownConversation(conversation: string, store: Store, path: string): Promise<UsageError> {
  const latest = await store.conversations({ limit: 5 });
  const names = latest.map((summary) => oneLine(summary.conversation, 60)).join(", ");
  const advice = names === "" ? "It holds none yet." : `The latest: ${names}.`;
  return new UsageError(`There is no conversation "${oneLine(conversation, 60)}" in ${visible(path)}.\n${advice}`);
}

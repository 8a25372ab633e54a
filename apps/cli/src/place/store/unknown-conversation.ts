import type { Key, Store } from "@cogency/storage";
import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine, visible } from "../../base/terminal/text.ts";
import { shownStore } from "./store-address.ts";

/** Makes the error for a conversation that the store at `place` does not have. Its message names the latest ones. */
export async function unknownConversation(
  { conversation, user }: Key,
  store: Store,
  place: string,
): Promise<UsageError> {
  const latest = await store.conversations({ user, limit: 5 });
  const names = latest.map((summary) => oneLine(summary.conversation, 60)).join(", ");
  const advice = names === "" ? "It holds none yet." : `The latest: ${names}.`;
  const whose = user === undefined ? "" : ` of ${oneLine(user, 60)}`;
  return new UsageError(
    `There is no conversation "${oneLine(conversation, 60)}"${whose} in ${visible(shownStore(place))}.\n${advice}`,
  );
}

import type { Key, Store } from "@cogency/storage";
import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { unknownConversation } from "./unknown-conversation.ts";

/**
 * Gives a conversation the title that lists show from then on.
 *
 * @param place where the store is, for messages
 * @returns the title, on one line
 * @throws UsageError for a conversation that has no events, and a title that is blank or long
 * @throws StoreError `lease_held` while a run is at work on the conversation
 */
export async function nameConversation(key: Key, title: string, store: Store, place: string): Promise<string> {
  const text = title.replaceAll(/\s+/g, " ").trim();
  const length = Array.from(text).length;
  if (length === 0) throw new UsageError("The title is empty. Give the words that lists should show.");
  if (length > longest) throw new UsageError(`The title has ${length} characters. Give at most ${longest}.`);
  if ((await store.load(key, { last: 1 })).length === 0) throw await unknownConversation(key, store, place);
  await store.append(key, [{ type: "record", kind: "title", data: { text }, timestamp: Date.now() / 1000 }]);
  return oneLine(text, longest);
}

/** What stores keep of a title (`ConversationSummary`). */
const longest = 80;

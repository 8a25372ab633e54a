import type { Key, Store } from "@cogency/storage";
import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { unknownConversation } from "../../place/store/unknown-conversation.ts";
import { giveName } from "./give-name.ts";

/**
 * Gives a conversation the title that lists show from then on; where a run is at work, that stores it.
 *
 * @param place where the store is, for messages
 * @returns the title, on one line, and what the person should know besides
 * @throws UsageError for a conversation that has no events, and a title that is blank or long
 */
export async function nameConversation(
  key: Key,
  title: string,
  store: Store,
  place: string,
): Promise<{ title: string; later?: string }> {
  const text = title.replaceAll(/\s+/g, " ").trim();
  const length = Array.from(text).length;
  if (length === 0) throw new UsageError("The title is empty. Give the words that lists should show.");
  if (length > longest) throw new UsageError(`The title has ${length} characters. Give at most ${longest}.`);
  if ((await store.load(key, { last: 1 })).length === 0) throw await unknownConversation(key, store, place);
  const later = await giveName(key, { kind: "title", content: text }, store);
  return { title: oneLine(text, longest), ...(later !== undefined && { later }) };
}

/** What stores keep of a title (`ConversationSummary`). */
const longest = 80;

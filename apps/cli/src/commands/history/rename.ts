import { note } from "../../base/terminal/note.ts";
import { put } from "../../base/terminal/output.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { findConversation } from "../../place/store/find-conversation.ts";
import { type HistoryOptions, withHistory } from "../../place/store/with-history.ts";
import { nameConversation } from "../../work/names/name-conversation.ts";

/**
 * `cogency history rename`: gives a conversation a title in place of its first message.
 *
 * @throws UsageError, StoreError
 */
export async function renameHistory(wanted: string, title: string, options: HistoryOptions): Promise<void> {
  const { store: place, user } = options;
  await withHistory(options, async (store) => {
    // Only those of the anonymous user are found by a part of their name.
    const conversation = user === undefined ? await findConversation(wanted, store, place) : wanted;
    const named = await nameConversation({ conversation, user }, title, store, place);
    await put(`${oneLine(conversation, 60)} is now "${named.title}"\n`);
    if (named.later !== undefined) note(named.later);
  });
}

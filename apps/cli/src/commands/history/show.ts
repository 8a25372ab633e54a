import { put, putLine } from "../../base/terminal/output.ts";
import { approvalsOf } from "../../person/show/approvals-of.ts";
import { transcript } from "../../person/show/transcript.ts";
import { existingKeys } from "../../place/installation-keys.ts";
import { findConversation } from "../../place/store/find-conversation.ts";
import { unknownConversation } from "../../place/store/unknown-conversation.ts";
import { type HistoryOptions, readHistory } from "../../place/store/with-history.ts";

export interface ShowOptions extends HistoryOptions {
  json?: true;
  thinking?: true;
}

/**
 * `cogency history show`.
 *
 * @throws UsageError if there is no such conversation
 */
export async function showHistory(wanted: string, options: ShowOptions): Promise<void> {
  const { store: place, user, json, thinking = false } = options;
  await readHistory(options, async (store) => {
    const conversation = await findConversation(wanted, store, place, user);
    const events = await store.load({ conversation, user });
    if (events.length === 0) throw await unknownConversation({ conversation, user }, store, place);
    if (!json) {
      const approvals = await approvalsOf(events, { conversation, user }, await existingKeys());
      return put(transcript(events, { thinking, approvals, stream: process.stdout }));
    }
    for (const event of events) await putLine(event);
  });
}

import { existingKeys } from "../../setup/installation-keys.ts";
import { findConversation } from "../../setup/store/find-conversation.ts";
import { unknownConversation } from "../../setup/store/unknown-conversation.ts";
import { approvalsOf } from "../../show/approvals-of.ts";
import { transcript } from "../../show/transcript.ts";
import { put, putLine } from "../../terminal/output.ts";
import { type HistoryOptions, readHistory } from "./with-history.ts";

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

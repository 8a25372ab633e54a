import { approvalsOf } from "../approvals-of.ts";
import { existingKeys } from "../installation-keys.ts";
import { put, putLine } from "../output.ts";
import { transcript } from "../transcript.ts";
import { unknownConversation } from "../unknown-conversation.ts";
import { type HistoryOptions, withHistory } from "./with-history.ts";

export interface ShowOptions extends HistoryOptions {
  json?: true;
  thinking?: true;
}

/**
 * `cogency history show`.
 *
 * @throws UsageError if there is no such conversation
 */
export async function showHistory(conversation: string, options: ShowOptions): Promise<void> {
  const { store: place, user, json, thinking = false } = options;
  await withHistory(options, async (store) => {
    const events = await store.load({ conversation, user });
    if (events.length === 0) throw await unknownConversation({ conversation, user }, store, place);
    if (!json) {
      const approvals = await approvalsOf(events, { conversation, user }, await existingKeys());
      return put(transcript(events, { thinking, approvals, stream: process.stdout }));
    }
    for (const event of events) await putLine(event);
  });
}

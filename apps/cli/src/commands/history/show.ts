import type { LogEvent } from "@cogency/protocol";
import { note } from "../../base/terminal/note.ts";
import { put, putLine } from "../../base/terminal/output.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { pathText } from "../../person/show/agent-paths.ts";
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
      const caller = callerOf(events);
      if (caller) note(caller);
      return put(transcript(events, { thinking, approvals, stream: process.stdout }));
    }
    for (const event of events) await putLine(event);
  });
}

/** Whose agent this is the conversation of; undefined where a person began it. */
function callerOf(events: readonly LogEvent[]): string | undefined {
  const record = events.find((event) => event.type === "record" && event.kind === "parent");
  if (record?.type !== "record" || record.kind !== "parent") return undefined;
  // A log from elsewhere may hold anything.
  const { conversation, root, agents } = (record.data ?? {}) as Record<string, unknown>;
  const path = Array.isArray(agents) ? pathText(agents.map(String)) : "";
  const of = root === conversation ? "" : `, which belongs to ${oneLine(String(root), 60)}`;
  return `The conversation of the agent ${path}, which a call of ${oneLine(String(conversation), 60)} has started${of}.`;
}

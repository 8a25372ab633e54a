import { type ConversationState, stateOf } from "../conversation/conversation-state.ts";
import { copiedEvents } from "../conversation/copied-events.ts";
import { findSummary } from "../conversation/find-summary.ts";
import { recentEvents } from "../conversation/recent-events.ts";
import { jsonResponse } from "../json-response.ts";
import { Problem } from "../problem.ts";
import type { AskedOfOne } from "../route.ts";

interface ConversationHeader {
  conversation: string;
  title: string;
  state: ConversationState;
  /** The last sequence number; 0 while the first message waits. */
  events: number;
  /** Unix time in seconds. */
  createdAt: number;
  updatedAt: number;
}

/** `GET /conversations/ID`: its title, and what it does now. */
export async function showConversation({ store, key }: AskedOfOne): Promise<Response> {
  const { conversation } = key;
  const [summary, inbox] = [await findSummary(store, key), await store.inbox(key)];
  const [first, newest] = [inbox[0], inbox.at(-1)];
  const [recent, copied] = [await recentEvents(store, key), await copiedEvents(store, key)];
  if (recent.length === 0 && !first) throw new Problem("not_found", "There is no such conversation.");
  const given = inbox.findLast(({ message }) => message.kind === "title")?.message;
  const header: ConversationHeader = {
    conversation,
    title: given?.kind === "title" ? given.content : (summary?.title ?? ""),
    state: stateOf(recent, inbox, copied),
    events: recent.at(-1)?.seq ?? 0,
    createdAt: summary?.createdAt ?? recent[0]?.timestamp ?? (first?.postedAt ?? 0) / 1000,
    updatedAt: recent.at(-1)?.timestamp ?? (newest?.postedAt ?? 0) / 1000,
  };
  return jsonResponse(200, header);
}

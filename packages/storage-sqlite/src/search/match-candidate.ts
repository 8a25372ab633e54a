import type { MatchCandidate } from "@cogency/storage";
import { conversationColumns, conversationOf } from "../rows/conversation-row.ts";
import { eventColumns, storedEvent } from "../rows/stored-event.ts";

/** What statements that read candidates select, from events and conversations. */
export const candidateColumns = `${conversationColumns}, ${eventColumns}`;

/** @throws StoreError `corrupt` unless row and event are what was stored */
export function matchCandidate(row: Record<string, unknown>, path: string): MatchCandidate {
  return { conversation: conversationOf(row, path).conversation, event: storedEvent(row, path) };
}

import type { MatchCandidate } from "@cogency/storage/adapter";
import { conversationColumns, conversationOf } from "../rows/conversation-row.ts";
import { eventColumns, storedEvent } from "../rows/stored-event.ts";

/** The columns that `matchCandidate` needs, from events and conversations. */
export const candidateColumns = `${conversationColumns}, ${eventColumns}`;

/** @throws StoreError `corrupt` if a checksum of the conversation or the event differs */
export function matchCandidate(row: Record<string, unknown>, path: string): MatchCandidate {
  return { conversation: conversationOf(row, path).conversation, event: storedEvent(row, path) };
}

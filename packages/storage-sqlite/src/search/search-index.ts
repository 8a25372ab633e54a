import type { MatchCandidate, SearchWord } from "@cogency/storage/adapter";
import { conversationColumns, conversationOf, eventColumns, storedEvent } from "../rows/stored-event.ts";

/** Finds the events that a search ranks. Names have the form of the tables (rows/names.ts). */
export interface SearchIndex {
  /** Returns the user's events that may contain words, the latest first, without the conversation `exclude`. */
  candidates(words: readonly SearchWord[], user: string, exclude: string | null): Promise<MatchCandidate[]>;
  /** Forgets a conversation. Must be called inside the transaction that has deleted its row, and `purge` after it. */
  remove(conversation: number, user: string): void;
  /** Removes the words of all forgotten conversations from the file. */
  purge(): Promise<void>;
}

/** The columns that `matchCandidate` needs, from events and conversations. */
export const candidateColumns = `${conversationColumns}, ${eventColumns}`;

/** @throws StoreError `corrupt` if a checksum of the conversation or the event differs */
export function matchCandidate(row: Record<string, unknown>, path: string): MatchCandidate {
  return { conversation: conversationOf(row, path).conversation, event: storedEvent(row, path) };
}

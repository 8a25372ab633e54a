import type { MatchCandidate, SearchWord } from "@cogency/storage";

/** Where `search` finds what it ranks. Names are those of the tables (rows/names.ts). */
export interface SearchIndex {
  /** Events of the user in which words may stand, the latest first, without those of the conversation `exclude`. */
  candidates(words: readonly SearchWord[], user: string, exclude: string | null): Promise<MatchCandidate[]>;
  /** Forgets a conversation. Inside the transaction that has deleted its row; `purge` is to be called after it. */
  remove(conversation: number, user: string): void;
  /** Removes the words of forgotten conversations from the file. */
  purge(): Promise<void>;
}

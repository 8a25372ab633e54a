import type { ConversationSummary } from "@cogency/storage";
import { fitted, oneLine, padded } from "../base/terminal/text.ts";
import { when } from "./show/when.ts";

/** The conversations that a person chooses from: those that hold what was typed, and the one that Enter takes. */
export class ConversationList {
  readonly #all: readonly ConversationSummary[];
  #words = "";
  #at = 0;

  constructor(all: readonly ConversationSummary[]) {
    this.#all = all;
  }

  /** Those whose title holds every word, in any letter case, or whose id begins with all of it; the latest first. */
  get found(): readonly ConversationSummary[] {
    const words = this.#words.toLowerCase().split(/\s+/).filter(Boolean);
    const beginning = this.#words.trim();
    return this.#all.filter(({ conversation, title }) => {
      const text = title.toLowerCase();
      return words.every((word) => text.includes(word)) || conversation.startsWith(beginning);
    });
  }

  get chosen(): string | undefined {
    return this.found[this.#at]?.conversation;
  }

  filter(words: string): void {
    if (words === this.#words) return;
    this.#words = words;
    this.#at = 0;
  }

  /** Moves up or down, and stays at the ends. */
  move(by: number): void {
    this.#at = Math.max(0, Math.min(this.found.length - 1, this.#at + by));
  }

  /** At most so many rows around the chosen one, which begins with a mark. */
  rows(columns: number, most: number): { text: string; isChosen: boolean }[] {
    const { found } = this;
    const first = Math.max(0, Math.min(this.#at - Math.floor(most / 2), found.length - most));
    return found.slice(first, first + most).map((summary, index) => {
      const isChosen = first + index === this.#at;
      return { text: fitted(`${isChosen ? ">" : " "} ${conversationRow(summary)}`, columns), isChosen };
    });
  }
}

/** `2 h ago     fix the test  (notes)` */
export function conversationRow({ conversation, title, updatedAt }: ConversationSummary): string {
  return `${padded(when(updatedAt), 12)} ${oneLine(title, 60) || "(no words)"}  (${oneLine(conversation, 40)})`;
}

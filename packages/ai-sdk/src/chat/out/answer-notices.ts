import type { NoticePart } from "@cogency/protocol/parts";
import type { ChatChunk } from "../message.ts";

/** The notices of an answer. Of several in a row, the last one stands. */
export class AnswerNotices {
  #count = 0;
  #open: Pick<NoticePart, "code" | "message"> | undefined;

  open({ type: _, open: __, ...notice }: NoticePart): ChatChunk[] {
    if (!this.#open) this.#count++;
    this.#open = notice;
    return [{ type: "data-notice", id: this.#id, data: { ...notice, open: true } }];
  }

  /** The conversation has gone on. */
  close(): ChatChunk[] {
    if (!this.#open) return [];
    const { code, message } = this.#open;
    this.#open = undefined;
    return [{ type: "data-notice", id: this.#id, data: { code, message, open: false } }];
  }

  get #id(): string {
    return `notice-${this.#count}`;
  }
}

import { heldBack } from "./held-back.ts";

/** Passes a text on up to the first of the marks. */
export class StopReader {
  /** Whether a mark was found. */
  isOver = false;
  readonly #marks: readonly string[];
  #held = "";

  constructor(marks: readonly string[]) {
    this.#marks = marks.filter((mark) => mark !== "");
  }

  write(piece: string): string {
    if (this.isOver) return "";
    const text = this.#held + piece;
    const found = this.#marks.map((mark) => text.indexOf(mark)).filter((at) => at !== -1);
    if (found.length > 0) {
      this.isOver = true;
      this.#held = "";
      return text.slice(0, Math.min(...found));
    }
    const held = heldBack(text, this.#marks);
    this.#held = text.slice(text.length - held);
    return text.slice(0, text.length - held);
  }

  /** The text that was held back. */
  end(): string {
    const held = this.#held;
    this.#held = "";
    return held;
  }
}

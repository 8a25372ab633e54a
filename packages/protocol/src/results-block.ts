import { RESULTS_CLOSE } from "./markers.ts";

/** Finds the end of a `<results>` block in a transcript: the first `</results>` outside a JSON string. */
export class ResultsBlock {
  /** The text of the block so far, without its markers. */
  content = "";
  closed = false;
  #inString = false;
  #escaped = false;
  #closerRead = 0;

  /** Read `text` from index `from`; returns the index after the last character that belongs to the block. */
  read(text: string, from: number): number {
    let i = from;
    while (i < text.length && !this.closed) this.#readCharacter(text.charAt(i++));
    this.content += text.slice(from, i);
    if (this.closed) this.content = this.content.slice(0, -RESULTS_CLOSE.length);
    return i;
  }

  #readCharacter(character: string): void {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (character === "\\") this.#escaped = true;
      else if (character === '"') this.#inString = false;
      return;
    }
    if (character === '"') this.#inString = true;
    if (character === RESULTS_CLOSE.charAt(this.#closerRead)) this.#closerRead++;
    else this.#closerRead = character === "<" ? 1 : 0;
    this.closed = this.#closerRead === RESULTS_CLOSE.length;
  }
}

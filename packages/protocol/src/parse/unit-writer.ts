import { endOfText, skipSpace } from "../text/characters.ts";

/**
 * Cuts off the white space around units, and replaces lone surrogates (protocol.md P9, P13).
 *
 * @example the pieces "  Two", " ", "words. ", "\n" are emitted as "Two", "", " words.", ""
 */
export class UnitWriter {
  /** The number of the open unit, or of the last one. */
  number = -1;
  /** Whether something of the unit has been emitted. */
  isOpen = false;
  /** White space after the unit's last character. It belongs to the unit only if more follows. */
  #space = "";

  /**
   * Returns the text to emit for the next piece; empty if there is none yet. The first character that is not white space
   * opens a unit.
   */
  write(text: string): string {
    const end = endOfText(text);
    if (end === 0) {
      if (this.isOpen) this.#space += text;
      return "";
    }
    let start = 0;
    if (!this.isOpen) {
      start = skipSpace(text, 0);
      this.isOpen = true;
      this.number++;
    }
    const content = this.#space + text.slice(start, end);
    this.#space = text.slice(end);
    return content.toWellFormed();
  }

  close(): void {
    this.isOpen = false;
    this.#space = "";
  }
}

import { endOfText, skipSpace } from "../text/characters.ts";

/** Cuts the white space around units off, and keeps what is emitted well-formed (protocol.md P9, P13). */
export class UnitWriter {
  /** The number of the open unit, or of the last one. */
  number = -1;
  /** Something of the unit has been emitted. */
  isOpen = false;
  /** White space after the unit's last character, which belongs to it only if more follows. */
  #space = "";

  /** What to emit for the next piece of text; empty if that is nothing yet. A unit begins with its first character. */
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

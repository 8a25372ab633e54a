/**
 * Joins a text that was put together from pieces. An engine keeps the sum of two strings as a tree, which takes more memory
 * than the text, and joins it when the text is searched.
 */
export function flat(text: string): string {
  last.search = text.indexOf("\0");
  return text;
}

/** The result of the last search is kept, so that no compiler leaves the search out. */
const last = { search: 0 };

/** A random UUID. Node puts it together as a tree of about thirty strings, which takes half a kilobyte. */
export function randomId(): string {
  return flat(crypto.randomUUID());
}

/** A text that grows by small pieces and stays flat, so that a thousand answers that wait take little memory. */
export class FlatText {
  #text = "";
  #pieces = 0;

  add(piece: string): void {
    this.#text += piece;
    this.#pieces++;
    // Rarely for a long text: joining takes time in proportion to its length.
    if (this.#pieces < 8 + this.#text.length / 64) return;
    this.#text = flat(this.#text);
    this.#pieces = 0;
  }

  toString(): string {
    return this.#text;
  }
}

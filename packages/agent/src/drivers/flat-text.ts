/**
 * A text that grows by small pieces. An engine keeps `a + b` as a tree whose nodes take more memory than the text, and
 * joins it when a character is read; doing that now and then keeps a thousand parked answers small.
 */
export class FlatText {
  #text = "";
  #pieces = 0;

  add(piece: string): void {
    this.#text += piece;
    this.#pieces++;
    // Rarely for a long text, so that joining stays proportional to its length.
    if (this.#pieces > 32 + this.#text.length / 256) this.#join();
  }

  toString(): string {
    return this.#text;
  }

  #join(): void {
    this.#pieces = 0;
    this.#text.charCodeAt(0);
  }
}

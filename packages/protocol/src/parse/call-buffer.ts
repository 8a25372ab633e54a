import { isUsual } from "../text/json-strings.ts";

/** How much is gathered, in UTF-16 units, before it is checked and joined to the rest. */
const longestTail = 1024;

/**
 * The JSON text of the open call as it grows, without the white space between its tokens. It is checked a little at a
 * time while it is still at hand, so that a long text need not be put together to be checked.
 */
export class CallBuffer {
  #head = "";
  #tail = "";
  #isUsual = true;

  /** A call begins. */
  clear(): void {
    this.#head = this.#tail = "";
    this.#isUsual = true;
  }

  add(piece: string): void {
    this.#tail += piece;
    // An escape or a pair of surrogates is not checked in halves.
    if (this.#tail.length > longestTail && !endsInside.test(piece.slice(-1))) this.#join();
  }

  get length(): number {
    return this.#head.length + this.#tail.length;
  }

  toString(): string {
    return this.#head + this.#tail;
  }

  /** Every string in it, and in what follows, is valid and written as JSON.stringify would. */
  isUsual(following: string): boolean {
    return this.#isUsual && isUsual(this.#tail + following);
  }

  #join(): void {
    this.#isUsual &&= isUsual(this.#tail);
    this.#head += this.#tail;
    this.#tail = "";
  }
}

/** Nothing, a backslash or the first half of a pair. */
const endsInside = /^$|[\\\ud800-\udbff]/;

import { hasStandardStrings } from "../text/json-strings.ts";

/** The number of UTF-16 units that are gathered before they are checked and joined to the rest. */
const longestTail = 1024;

/**
 * The JSON text of the open call as it grows, without the white space between its tokens. Its strings are checked piece
 * by piece, because checking a long text at the end would make the engine join all of its pieces first.
 */
export class CallBuffer {
  #head = "";
  #tail = "";
  #hasStandardStrings = true;

  /** Empties the buffer for the next call. */
  clear(): void {
    this.#head = this.#tail = "";
    this.#hasStandardStrings = true;
  }

  add(piece: string): void {
    this.#tail += piece;
    // Neither an escape nor a surrogate pair may be checked in halves.
    if (this.#tail.length > longestTail && !endsInside.test(piece.slice(-1))) this.#join();
  }

  get length(): number {
    return this.#head.length + this.#tail.length;
  }

  toString(): string {
    return this.#head + this.#tail;
  }

  /** Whether every string in the text and in `following` is valid and written as JSON.stringify would write it. */
  hasStandardStrings(following: string): boolean {
    return this.#hasStandardStrings && hasStandardStrings(this.#tail + following);
  }

  #join(): void {
    this.#hasStandardStrings &&= hasStandardStrings(this.#tail);
    this.#head += this.#tail;
    this.#tail = "";
  }
}

/** Matches the empty text, a backslash and the first half of a surrogate pair. */
const endsInside = /^$|[\\\ud800-\udbff]/;

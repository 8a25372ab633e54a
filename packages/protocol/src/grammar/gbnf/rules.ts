import { classOf, wideClassOf } from "./notation.ts";

/** The rules of a grammar, in the order in which they were first named. */
export class Rules {
  readonly #bodies = new Map<string, string>();
  /** The names by their bodies, so that equal rules exist once. */
  readonly #names = new Map<string, string>();
  /** How many names begin with each hint. */
  readonly #hints = new Map<string, number>();
  readonly #isWide: boolean;

  /** @param isWide for a reader that misreads a class which names characters beyond ASCII */
  constructor({ isWide = false } = {}) {
    this.#isWide = isWide;
  }

  /** Matches one character within the ranges of code points; in a wide grammar also others beyond ASCII. */
  character(ranges: Parameters<typeof classOf>[0]): string {
    return this.#isWide ? wideClassOf(ranges) : classOf(ranges);
  }

  /** Defines a rule whose name is known before its body. */
  define(name: string, body: string): string {
    this.#bodies.set(name, body);
    return name;
  }

  /** The name of the rule with this body; `hint` is the beginning of the name of a new one. */
  share(hint: string, body: string): string {
    const known = this.#names.get(body);
    if (known !== undefined) return known;
    const name = this.reserve(hint);
    this.#names.set(body, name);
    return this.define(name, body);
  }

  /** A name that no rule has yet, for a rule that is defined later. */
  reserve(hint: string): string {
    const count = (this.#hints.get(hint) ?? 0) + 1;
    this.#hints.set(hint, count);
    const name = count === 1 ? hint : `${hint}-${count}`;
    this.#bodies.set(name, "");
    return name;
  }

  /** The grammar, which begins with the rule `root`. */
  toString(root: string): string {
    let text = `root ::= ${root}\n`;
    for (const [name, body] of this.#bodies) text += `${name} ::= ${body}\n`;
    return text;
  }
}

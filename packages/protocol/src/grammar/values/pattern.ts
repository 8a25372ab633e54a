import { choice, EMPTY, times } from "../gbnf/notation.ts";
import { allBut, joined, type Ranges, single } from "./code-points.ts";

/** How the characters of a string are written. */
export interface Writing {
  /** Matches any character. */
  readonly any: string;
  /** An expression for one character out of ranges; undefined if a text cannot hold any of them. */
  set(ranges: Ranges): string | undefined;
  /** A rule for an expression. */
  share(expression: string): string;
}

/** The largest bound of a repetition that a grammar counts to. */
const mostRepeated = 256;

/**
 * Writes a regular expression of JSON Schema as an expression of a grammar. An expression with look-around, back references,
 * word boundaries, properties of Unicode, or anchors within is not written: undefined.
 */
export function patternOf(source: string, writing: Writing): string | undefined {
  try {
    return new PatternWriter(source, writing).whole();
  } catch (error) {
    if (error instanceof Unwritable) return undefined;
    throw error;
  }
}

class Unwritable extends Error {}

class PatternWriter {
  readonly #source: string;
  readonly #writing: Writing;
  #index = 0;

  constructor(source: string, writing: Writing) {
    this.#source = source;
    this.#writing = writing;
  }

  whole(): string {
    const ways: string[] = [];
    const any = `${this.#writing.any}*`;
    do {
      const before = this.#take("^") ? [] : [any];
      const body = this.#sequence();
      const after = this.#take("$") ? [] : [any];
      ways.push(inOrder([...before, body, ...after]));
    } while (this.#take("|"));
    if (this.#index < this.#source.length) throw new Unwritable();
    return choice(ways);
  }

  #choice(): string {
    const ways = [this.#sequence()];
    while (this.#take("|")) ways.push(this.#sequence());
    return choice(ways);
  }

  #sequence(): string {
    const parts: string[] = [];
    while (this.#index < this.#source.length && !"|)$".includes(this.#source.charAt(this.#index))) {
      parts.push(this.#repeated(this.#atom()));
    }
    return inOrder(parts);
  }

  #atom(): string {
    if (this.#take("(")) {
      const named = /^\?<[\w$]+>/.exec(this.#source.slice(this.#index))?.[0];
      if (named) this.#index += named.length;
      else if (this.#take("?") && !this.#take(":")) throw new Unwritable();
      const body = this.#choice();
      if (!this.#take(")")) throw new Unwritable();
      return `(${body})`;
    }
    if (this.#take("[")) return this.#set(this.#class());
    if (this.#take(".")) return this.#set(allBut(lineBreaks));
    const character = this.#next();
    if (character === "\\") return this.#set(this.#escape());
    if ("^*+?{}]".includes(character)) throw new Unwritable();
    return this.#set(single(character));
  }

  #repeated(part: string): string {
    const [found, sign, min, comma, max] = quantifier.exec(this.#source.slice(this.#index)) ?? [];
    if (found === undefined) return part;
    this.#index += found.length;
    const [low, high] = sign ? signs[sign as keyof typeof signs] : [Number(min), Number(comma ? max || Infinity : min)];
    if (low > mostRepeated) throw new Unwritable();
    // llama.cpp bounds how often a repetition repeats another one in the same rule.
    const item = part.startsWith("(") && part.includes("{") ? this.#writing.share(part) : part;
    return times(item, low, high > mostRepeated ? Number.POSITIVE_INFINITY : high);
  }

  #class(): Ranges {
    const isNegated = this.#take("^");
    const found: Ranges[] = [];
    while (!this.#take("]")) {
      const from = this.#classAtom();
      const isRange = this.#source.charAt(this.#index) === "-" && this.#source.charAt(this.#index + 1) !== "]";
      if (!isRange) found.push(from);
      else {
        this.#index++;
        const to = this.#classAtom();
        const [low, high] = [from[0]?.[0] as number, to[0]?.[1] as number];
        if (from.length > 1 || to.length > 1 || low > high) throw new Unwritable();
        found.push([[low, high]]);
      }
    }
    return isNegated ? allBut(joined(...found)) : joined(...found);
  }

  #classAtom(): Ranges {
    const character = this.#next();
    return character === "\\" ? this.#escape() : single(character);
  }

  #escape(): Ranges {
    const letter = this.#next();
    const known = sets[letter] ?? sets[letter.toLowerCase()];
    if (known) return letter in sets ? known : allBut(known);
    const hex = { x: /^[\da-f]{2}/i, u: /^[\da-f]{4}/i }[letter]?.exec(this.#source.slice(this.#index))?.[0];
    if (hex !== undefined) {
      this.#index += hex.length;
      return single(String.fromCodePoint(Number.parseInt(hex, 16)));
    }
    if (/[\w]/.test(letter)) throw new Unwritable();
    return single(letter);
  }

  #set(ranges: Ranges): string {
    const written = this.#writing.set(ranges);
    if (written === undefined) throw new Unwritable();
    return written;
  }

  #next(): string {
    const code = this.#source.codePointAt(this.#index);
    if (code === undefined) throw new Unwritable();
    const character = String.fromCodePoint(code);
    this.#index += character.length;
    return character;
  }

  #take(sign: string): boolean {
    if (this.#source.charAt(this.#index) !== sign) return false;
    this.#index++;
    return true;
  }
}

const quantifier = /^(?:([*+?])|\{(\d+)(,(\d*))?\})\??/;

const signs = { "*": [0, Number.POSITIVE_INFINITY], "+": [1, Number.POSITIVE_INFINITY], "?": [0, 1] } as const;

const lineBreaks: Ranges = joined(single("\n"), single("\r"), [[0x2028, 0x2029]]);

/** The characters of each escape; those of a capital letter are all others. */
const sets: { readonly [letter: string]: Ranges } = {
  d: [[0x30, 0x39]],
  w: joined([[0x30, 0x39]], [[0x41, 0x5a]], single("_"), [[0x61, 0x7a]]),
  s: joined(
    [[9, 13]],
    single(" "),
    single("\u00a0"),
    single("\u1680"),
    [[0x2000, 0x200a]],
    [[0x2028, 0x2029]],
    [
      [0x202f, 0x202f],
      [0x205f, 0x205f],
      [0x3000, 0x3000],
      [0xfeff, 0xfeff],
    ],
  ),
  n: single("\n"),
  r: single("\r"),
  t: single("\t"),
  f: single("\f"),
  v: single("\v"),
};

function inOrder(parts: readonly string[]): string {
  const written = parts.filter((part) => part !== EMPTY);
  return written.length === 0 ? EMPTY : written.join(" ");
}

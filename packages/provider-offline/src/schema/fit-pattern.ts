/**
 * A short text that a regular expression matches. Of alternatives it takes the first, and of repetitions the fewest that give the text
 * its length. Empty where the expression has parts that need more than that, such as a look ahead.
 */
export function fitPattern(pattern: string, least: number, most: number): string {
  for (const repeats of [0, 1, 2, 4, 8, 16, 32, least]) {
    const text = new Writing(pattern, repeats).text();
    if (text.length >= least && text.length <= most && isMatch(pattern, text)) return text;
  }
  return "";
}

/** Whether a text matches a regular expression, as JSON Schema has them; not if it is none. */
export function isMatch(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return false;
  }
}

/** Reads a regular expression from left to right, and writes what it matches. */
class Writing {
  readonly #pattern: string;
  /** How often something stands that may stand without end. */
  readonly #repeats: number;
  #at = 0;

  constructor(pattern: string, repeats: number) {
    this.#pattern = pattern;
    this.#repeats = Math.min(repeats, mostRepeats);
  }

  text(): string {
    return this.#alternatives();
  }

  #alternatives(): string {
    const first = this.#sequence();
    while (this.#take("|")) this.#sequence();
    return first;
  }

  #sequence(): string {
    let text = "";
    while (this.#at < this.#pattern.length && !/[|)]/.test(this.#next)) {
      const piece = this.#piece();
      text += piece.repeat(Math.min(this.#times(), mostCharacters / Math.max(1, piece.length)));
      if (text.length > mostCharacters) return "";
    }
    return text;
  }

  #piece(): string {
    if (this.#take("^") || this.#take("$")) return "";
    if (this.#take("(")) {
      const name = /^\?(?::|<\w+>)/.exec(this.#rest)?.[0] ?? "";
      this.#at += name.length;
      const text = this.#alternatives();
      this.#take(")");
      return text;
    }
    if (this.#take(".")) return "a";
    if (this.#take("[")) return this.#class();
    return this.#character();
  }

  /** A character of a class such as `[a-z0-9]`; of `[^a]` one of the usual that it leaves. */
  #class(): string {
    const [whole = ""] = /^\^?(?:\\.|[^\]\\])*\]/.exec(this.#rest) ?? [];
    this.#at += whole.length;
    return usual.find((character) => isMatch(`^[${whole}$`, character)) ?? whole.replace(/^\^?\\?/, "").slice(0, 1);
  }

  #character(): string {
    if (!this.#take("\\")) return this.#pattern[this.#at++] ?? "";
    const [code = ""] = /^(?:u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|[pP]\{[^}]*\}|.)/i.exec(this.#rest) ?? [];
    this.#at += code.length;
    if (/^[bB]/.test(code)) return "";
    return usual.find((character) => isMatch(`^\\${code}$`, character)) ?? code;
  }

  #times(): number {
    const [quantifier = "", least, comma] = /^(?:[*+?]|\{(\d+)(,\d*)?\})\??/.exec(this.#rest) ?? [];
    this.#at += quantifier.length;
    if (quantifier === "") return 1;
    if (quantifier.startsWith("?")) return 0;
    if (quantifier.startsWith("*")) return this.#repeats;
    if (quantifier.startsWith("+")) return Math.max(1, this.#repeats);
    const most =
      comma === undefined ? Number(least) : comma === "," ? Number.POSITIVE_INFINITY : Number(comma.slice(1));
    return Math.min(most, Math.max(Number(least), this.#repeats));
  }

  get #next(): string {
    return this.#pattern[this.#at] ?? "";
  }

  get #rest(): string {
    return this.#pattern.slice(this.#at);
  }

  #take(character: string): boolean {
    if (this.#next !== character) return false;
    this.#at++;
    return true;
  }
}

/** What stands for a class of characters. */
const usual = ["a", "A", "0", "1", " ", "-", "_", ".", "/", "@", ":", "é", "\n"];

const mostRepeats = 10_000;
const mostCharacters = 10_000;

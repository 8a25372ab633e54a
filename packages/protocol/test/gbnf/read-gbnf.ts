/** What a part of a grammar matches. */
export type Part =
  | { type: "characters"; isNegated: boolean; ranges: readonly (readonly [from: number, to: number])[] }
  | { type: "sequence"; parts: readonly Part[] }
  | { type: "choice"; ways: readonly Part[] }
  | { type: "repeat"; part: Part; min: number; max: number }
  | { type: "rule"; name: string };

/** The rules of a grammar by their names. The first of them is where a text begins. */
export type Grammar = ReadonlyMap<string, Part>;

/**
 * Reads a grammar in GBNF as llama.cpp does: one rule a line.
 *
 * @throws Error for a text that is none, and for a rule that is named and not defined
 */
export function readGbnf(text: string): Grammar {
  const rules = new Map<string, Part>();
  const named = new Set<string>();
  for (const line of text.split("\n").filter((line) => line !== "")) {
    const [, name = "", body] = /^([a-zA-Z][\w-]*) ::= (.*)$/.exec(line) ?? [];
    if (body === undefined) throw new Error(`No rule: ${line}`);
    if (rules.has(name)) throw new Error(`${name} is defined twice.`);
    rules.set(name, new Reader(body, named).whole());
  }
  for (const name of named) if (!rules.has(name)) throw new Error(`${name} is not defined.`);
  return rules;
}

class Reader {
  readonly #text: string;
  readonly #named: Set<string>;
  #index = 0;

  constructor(text: string, named: Set<string>) {
    this.#text = text;
    this.#named = named;
  }

  whole(): Part {
    const part = this.#choice();
    if (this.#index < this.#text.length) this.#fail();
    return part;
  }

  #choice(): Part {
    const ways = [this.#sequence()];
    while (this.#take("|")) ways.push(this.#sequence());
    return ways.length === 1 ? (ways[0] as Part) : { type: "choice", ways };
  }

  #sequence(): Part {
    const parts: Part[] = [];
    for (;;) {
      this.#skipSpace();
      const next = this.#text.charAt(this.#index);
      if (next === "" || next === "|" || next === ")") break;
      parts.push(this.#repeated(this.#atom()));
    }
    if (parts.length === 0) this.#fail();
    return parts.length === 1 ? (parts[0] as Part) : { type: "sequence", parts };
  }

  #atom(): Part {
    if (this.#take("(")) {
      const part = this.#choice();
      if (!this.#take(")")) this.#fail();
      return part;
    }
    if (this.#take('"')) return this.#literal();
    if (this.#take("[")) return this.#class();
    const [name] = /^[a-zA-Z][\w-]*/.exec(this.#text.slice(this.#index)) ?? this.#fail();
    this.#index += name.length;
    this.#named.add(name);
    return { type: "rule", name };
  }

  #literal(): Part {
    const parts: Part[] = [];
    while (this.#text.charAt(this.#index) !== '"') {
      const code = this.#character();
      parts.push({ type: "characters", isNegated: false, ranges: [[code, code]] });
    }
    this.#index++;
    return { type: "sequence", parts };
  }

  #class(): Part {
    const isNegated = this.#text.charAt(this.#index) === "^";
    if (isNegated) this.#index++;
    const ranges: [number, number][] = [];
    while (this.#text.charAt(this.#index) !== "]") {
      const from = this.#character();
      const isRange = this.#text.charAt(this.#index) === "-" && this.#text.charAt(this.#index + 1) !== "]";
      if (isRange) this.#index++;
      ranges.push([from, isRange ? this.#character() : from]);
    }
    this.#index++;
    if (ranges.length === 0) this.#fail();
    return { type: "characters", isNegated, ranges };
  }

  #character(): number {
    const rest = this.#text.slice(this.#index, this.#index + 10);
    const [escaped, hex, short] = escapes.exec(rest) ?? [];
    const code = escaped === undefined && !rest.startsWith("\\") ? rest.codePointAt(0) : undefined;
    this.#index += escaped?.length ?? ((code ?? 0) > 0xffff ? 2 : 1);
    if (short !== undefined) return (shortEscapes[short] ?? short).charCodeAt(0);
    return hex !== undefined ? Number.parseInt(hex.slice(1), 16) : (code ?? this.#fail());
  }

  #repeated(part: Part): Part {
    const [found, sign, min, comma, max] = /^(?:([*+?])|\{(\d+)(,(\d*))?\})/.exec(this.#text.slice(this.#index)) ?? [];
    if (found === undefined) return part;
    this.#index += found.length;
    if (sign)
      return { type: "repeat", part, min: sign === "+" ? 1 : 0, max: sign === "?" ? 1 : Number.POSITIVE_INFINITY };
    const most = comma === undefined ? min : max === "" ? Number.POSITIVE_INFINITY : max;
    return { type: "repeat", part, min: Number(min), max: Number(most) };
  }

  #take(sign: string): boolean {
    this.#skipSpace();
    if (this.#text.charAt(this.#index) !== sign) return false;
    this.#index++;
    return true;
  }

  #skipSpace(): void {
    while (this.#text.charAt(this.#index) === " ") this.#index++;
  }

  #fail(): never {
    throw new Error(`No grammar at ${this.#text.slice(this.#index, this.#index + 40)} in ${this.#text.slice(0, 200)}`);
  }
}

const shortEscapes: { [letter: string]: string } = { n: "\n", r: "\r", t: "\t" };

const escapes = /^\\(?:(x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8})|(["\\[\]nrt]))/;

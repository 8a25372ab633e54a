import type { Json } from "@cogency/protocol";

/**
 * What is missing of a JSON text of `value` that begins with `begun`: empty if nothing is, undefined if no JSON text of the value, with its
 * keys in their order, begins so.
 */
export function restOfJson(begun: string, value: Json): string | undefined {
  const reader = new Reader(begun);
  try {
    const rest = reader.value(value);
    return rest === undefined && !reader.isAtEnd ? undefined : (rest ?? "");
  } catch (error) {
    if (error === isOther) return undefined;
    throw error;
  }
}

const isOther = Symbol("the text is that of another value");

/** Reads a text that may end anywhere. Each method returns the rest where the text ends in its value, undefined where it goes on. */
class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Whether only white space follows. */
  get isAtEnd(): boolean {
    while (whiteSpace.has(this.#text[this.#at] ?? "")) this.#at++;
    return this.#at === this.#text.length;
  }

  value(value: Json): string | undefined {
    if (this.isAtEnd) return JSON.stringify(value);
    if (typeof value === "string") return this.#string(value);
    if (typeof value !== "object" || value === null) return this.#plain(value);
    if (Array.isArray(value))
      return this.#list(
        "[",
        "]",
        value.map((one) => [undefined, one] as const),
      );
    return this.#list("{", "}", Object.entries(value));
  }

  #list(open: string, close: string, members: readonly (readonly [string | undefined, Json])[]): string | undefined {
    this.#take(open);
    for (const [i, [key, value]] of members.entries()) {
      const rest = this.#member(i, key, value);
      if (rest !== undefined)
        return (
          rest +
          members
            .slice(i + 1)
            .map((one) => memberText(one, 1))
            .join("") +
          close
        );
    }
    if (this.isAtEnd) return close;
    this.#take(close);
    return undefined;
  }

  #member(i: number, key: string | undefined, value: Json): string | undefined {
    if (this.isAtEnd) return memberText([key, value], i);
    if (i > 0) this.#take(",");
    if (key !== undefined) {
      if (this.isAtEnd) return memberText([key, value], 0);
      const rest = this.#string(key);
      if (rest !== undefined) return `${rest}:${JSON.stringify(value)}`;
      if (this.isAtEnd) return `:${JSON.stringify(value)}`;
      this.#take(":");
    }
    return this.value(value);
  }

  #string(value: string): string | undefined {
    this.#take('"');
    for (let read = 0; ; ) {
      const rest = this.#text.slice(this.#at, this.#at + 6);
      if (rest === "") return JSON.stringify(value.slice(read)).slice(1);
      if (rest[0] === '"') {
        this.#at++;
        if (read !== value.length) throw isOther;
        return undefined;
      }
      const wanted = value[read++];
      if (wanted === undefined) throw isOther;
      // What is shorter than a whole escape stands at the end of the text.
      const written = writings(wanted).find((one) => rest.startsWith(one) || one.startsWith(rest));
      if (written === undefined) throw isOther;
      const taken = Math.min(written.length, rest.length);
      this.#at += taken;
      if (taken < written.length) return written.slice(taken) + JSON.stringify(value.slice(read)).slice(1);
    }
  }

  /** A number, a truth value or null. */
  #plain(value: number | boolean | null): string | undefined {
    const [written = ""] = /^[^\s,\]}]*/.exec(this.#text.slice(this.#at, this.#at + 400)) ?? [];
    const text = JSON.stringify(value);
    this.#at += written.length;
    const isWhole = written === text || (typeof value === "number" && written !== "" && Number(written) === value);
    if (isWhole) return undefined;
    if (this.#at === this.#text.length && text.startsWith(written)) return text.slice(written.length);
    throw isOther;
  }

  #take(character: string): void {
    if (this.#text[this.#at] !== character) throw isOther;
    this.#at++;
  }
}

function memberText([key, value]: readonly [string | undefined, Json], i: number): string {
  return `${i > 0 ? "," : ""}${key === undefined ? "" : `${JSON.stringify(key)}:`}${JSON.stringify(value)}`;
}

/** The ways in which JSON may write a UTF-16 unit in a string. */
function writings(unit: string): string[] {
  const hex = unit.charCodeAt(0).toString(16).padStart(4, "0");
  const short = shortEscapes.get(unit);
  const isPlain = unit >= " " && unit !== '"' && unit !== "\\";
  return [...(isPlain ? [unit] : []), ...(short === undefined ? [] : [short]), `\\u${hex}`, `\\u${hex.toUpperCase()}`];
}

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ["\\", "\\\\"],
  ["/", "\\/"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

const whiteSpace: ReadonlySet<string> = new Set([" ", "\n", "\r", "\t"]);

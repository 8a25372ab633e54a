import type { Json, JsonObject } from "@cogency/protocol";

/**
 * What is known of a JSON value of which only the beginning has come: without members whose value has not begun, and without a
 * number or a word that may go on. A string is given as far as it goes. Undefined where nothing is known, and for a text that is
 * not the beginning of JSON.
 */
export function partialJson(text: string): Json | undefined {
  const reader = new Reader(text);
  try {
    return reader.value();
  } catch (error) {
    if (error instanceof NotJson) return undefined;
    throw error;
  }
}

class NotJson extends Error {}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Undefined if the value is not known yet. */
  value(): Json | undefined {
    const first = this.#next();
    if (first === "{") return this.#object();
    if (first === "[") return this.#list();
    if (first === '"') return this.#string().value;
    return first === undefined ? undefined : this.#word();
  }

  #object(): JsonObject {
    const members: [string, Json][] = [];
    this.#at++;
    for (let first = this.#next(); first !== "}" && first !== undefined; first = this.#next()) {
      if (members.length > 0) this.#take(",");
      if (this.#next() === undefined) break;
      const key = this.#string();
      if (!key.isWhole || !this.#take(":")) break;
      const value = this.value();
      if (value !== undefined) members.push([key.value, value]);
      if (this.#isOver()) break;
    }
    this.#at++;
    // Defines each key, so that `__proto__` stays plain data.
    return Object.fromEntries(members);
  }

  #list(): Json[] {
    const items: Json[] = [];
    this.#at++;
    for (let first = this.#next(); first !== "]" && first !== undefined; first = this.#next()) {
      if (items.length > 0) this.#take(",");
      const value = this.value();
      if (value !== undefined) items.push(value);
      if (this.#isOver()) break;
    }
    this.#at++;
    return items;
  }

  #string(): { value: string; isWhole: boolean } {
    const begin = this.#at;
    if (this.#text[begin] !== '"') throw new NotJson();
    let at = begin + 1;
    for (; at < this.#text.length && this.#text[at] !== '"'; at++) if (this.#text[at] === "\\") at++;
    const isWhole = at < this.#text.length;
    this.#at = isWhole ? at + 1 : this.#text.length;
    // An escape or a surrogate pair that was cut off is left out.
    const known = this.#text
      .slice(begin + 1, at)
      .replace(isWhole ? /$^/ : /(\\u[\da-f]{0,3}|\\|[\ud800-\udbff])$/i, "");
    return { value: parsed(`"${known}"`) as string, isWhole };
  }

  /** A number, `true`, `false` or `null`; undefined while it may go on. */
  #word(): Json | undefined {
    const word = /^[-+.\w]*/.exec(this.#text.slice(this.#at, this.#at + longestWord))?.[0] ?? "";
    if (word === "") throw new NotJson();
    this.#at += word.length;
    return this.#isOver() ? undefined : parsed(word);
  }

  /** Skips white space. Returns the next character. */
  #next(): string | undefined {
    while (/^[ \t\n\r]$/.test(this.#text[this.#at] ?? "")) this.#at++;
    return this.#text[this.#at];
  }

  /** Whether the character stands next. Passes it. */
  #take(character: string): boolean {
    const next = this.#next();
    if (next === undefined) return false;
    if (next !== character) throw new NotJson();
    this.#at++;
    return true;
  }

  #isOver(): boolean {
    return this.#at >= this.#text.length;
  }
}

const longestWord = 400;

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    throw new NotJson();
  }
}

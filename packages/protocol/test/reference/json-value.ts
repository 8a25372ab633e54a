import { skipSpace } from "./characters.ts";
import { readNumber } from "./json-number.ts";
import { closingQuote, readString } from "./json-string.ts";
import { Cut, Refusal } from "./refusal.ts";

/** A decoded JSON value; numbers and the order of keys stay as they stand. */
export type Value = null | boolean | string | { literal: string } | Value[] | { members: [string, Value][] };

/** A text that is read as JSON, how far it has been read, and by which rules. */
export interface Source {
  readonly text: string;
  /** The index of the next character. */
  at: number;
  /** Whether lossless repairs are made. */
  readonly repair: boolean;
  /** Whether P15 holds. */
  readonly limits: boolean;
  /** Whether the content of strings and keys is ignored. Used to find the place at which a fault must be reported. */
  readonly structureOnly: boolean;
  /** Whether a repair was needed. */
  repaired: boolean;
}

/** Reads the JSON value that begins at the source's next character. `depth` is the depth of its container. */
export function readValue(source: Source, depth: number): Value {
  switch (source.text.charAt(source.at)) {
    case '"':
      return readStringValue(source);
    case "{":
      return readObject(source, depth + 1);
    case "[":
      return readArray(source, depth + 1);
    case "t":
      return readLiteral(source, "true", true);
    case "f":
      return readLiteral(source, "false", false);
    case "n":
      return readLiteral(source, "null", null);
  }
  if (!/[-0-9]/.test(source.text.charAt(source.at))) throw new Refusal(source.at);
  const { literal, end } = readNumber(source.text, source.at, source.limits);
  source.at = end;
  return { literal };
}

function readObject(source: Source, depth: number): Value {
  const members: [string, Value][] = [];
  readMembers(source, depth, (key) => members.push([key, readValue(source, depth)]));
  return { members };
}

/** Reads an object. `readMember` gets each key and reads its value. */
export function readMembers(source: Source, depth: number, readMember: (key: string) => void): void {
  open(source, depth);
  if (next(source) === "}") {
    source.at++;
    return;
  }
  const keys = new Set<string>();
  do {
    readMember(readKey(source, keys));
  } while (goesOn(source, "}"));
}

function readArray(source: Source, depth: number): Value {
  const items: Value[] = [];
  readItems(source, depth, () => items.push(readValue(source, depth)));
  return items;
}

/** Reads an array. `readItem` reads one item. */
export function readItems(source: Source, depth: number, readItem: () => void): void {
  open(source, depth);
  if (next(source) === "]") {
    source.at++;
    return;
  }
  do {
    next(source);
    readItem();
  } while (goesOn(source, "]"));
}

/** Goes to the next character other than white space and returns it. */
export function next(source: Source): string {
  source.at = skipSpace(source.text, source.at);
  if (source.at === source.text.length) throw new Cut();
  return source.text.charAt(source.at);
}

const maxDepth = 256;

function open(source: Source, depth: number): void {
  if (source.limits && depth > maxDepth) throw new Refusal(source.at);
  source.at++;
}

/** After an item or a member: a comma and more, or the closer; with repair one comma may stand before the closer. */
function goesOn(source: Source, closer: string): boolean {
  const character = next(source);
  if (character !== "," && character !== closer) throw new Refusal(source.at);
  if (character === ",") {
    source.at++;
    if (!source.repair || next(source) !== closer) return true;
    source.repaired = true;
  }
  source.at++;
  return false;
}

/** A key and the colon after it. P15: not twice in an object, compared after unescaping, and not `__proto__`. */
function readKey(source: Source, keys: Set<string>): string {
  if (next(source) !== '"') throw new Refusal(source.at);
  const from = source.at;
  const key = readStringValue(source);
  if (source.limits && !source.structureOnly && (key === "__proto__" || keys.has(key))) {
    throw new Refusal(source.at - 1, { from, inString: true });
  }
  keys.add(key);
  if (next(source) !== ":") throw new Refusal(source.at);
  source.at++;
  next(source);
  return key;
}

/** Reads a string, and makes it well-formed (P13). */
export function readStringValue(source: Source): string {
  if (source.structureOnly) {
    const close = closingQuote(source.text, source.at);
    if (close === source.text.length) throw new Cut();
    source.at = close + 1;
    return "";
  }
  const { value, end, repaired } = readString(source.text, source.at, source.repair);
  source.at = end;
  source.repaired ||= repaired;
  return value.toWellFormed();
}

function readLiteral(source: Source, word: string, value: boolean | null): Value {
  for (const character of word) {
    if (source.at === source.text.length) throw new Cut();
    if (source.text.charAt(source.at) !== character) throw new Refusal(source.at);
    source.at++;
  }
  return value;
}

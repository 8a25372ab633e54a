import { CR, isSpace, LF } from "./code-tracker.ts";
import { NumberReader } from "./json-number.ts";
import { decodeKey, parseEscapedKeys, stringFault } from "./json-strings.ts";
import { EXECUTE_CLOSE } from "./markers.ts";
import { Rope } from "./rope.ts";
import { callText } from "./serialize.ts";
import { StringEnd } from "./string-end.ts";
import type { ToolCall } from "./tool.ts";

/** Why a block is refused, and the offset at which no valid block can continue. */
export interface Fault {
  position: number;
  message: string;
}

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const LOWER_F = 102;
const LOWER_N = 110;
const LOWER_T = 116;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

// What may come next: first about the block's own array, then about what is inside a call.
const ARRAY = 0;
const FIRST_CALL = 1;
const NEXT_CALL = 2;
const AFTER_CALL = 3;
const CLOSER = 4;
const FIRST_KEY = 5;
const NEXT_KEY = 6;
const AFTER_KEY = 7;
const VALUE = 8;
const FIRST_ITEM = 9;
const AFTER_VALUE = 10;
const NUMBER = 11;
const LITERAL = 12;
const KEY = 13;
const STRING = 14;

/** How each of these is called where something else was found. */
const expected = [
  'the "[" of an array of calls',
  'a call, {"name": …, "args": …}, or "]"',
  'a call, {"name": …, "args": …}',
  '"," or "]" after a call',
  `only ${EXECUTE_CLOSE} after the array`,
  'a key in double quotes or "}"',
  "a key in double quotes",
  '":" after a key',
  "a value",
  'a value or "]"',
  '"," or the end of the object or array',
  "a digit",
  "true, false or null",
];

const maxDepth = 256;

/** How much of what the model wrote a message repeats, in UTF-16 units. */
const longestQuote = 40;

/**
 * One `<execute>` block of the JSON dialect, read as it arrives (protocol.md P6, P7, P15). Structure is checked at
 * every character, from quote to quote through strings; each call is decoded when its object closes.
 */
export class ExecuteBlock {
  /** Set when `</execute>` has been read. */
  closed = false;
  fault: Fault | undefined;

  readonly #onCall: (content: string) => void;
  #state = ARRAY;
  /** Open containers inside the block's array, the call's own object included; true for an object. */
  #containers: boolean[] = [];
  /** Keys of the open objects. */
  #keys: Set<string>[] = [];
  /** The raw text of the open call up to the current chunk, and where it began. */
  readonly #call = new Rope();
  #callStart = 0;
  /** Nothing was seen in the open call that JSON.stringify would write in another way. */
  #isPlain = true;
  #hasEscapedKey = false;
  readonly #number = new NumberReader();
  /** Raw text of the key being read, or what is left of a literal. */
  #token = "";
  readonly #stringEnd = new StringEnd();
  /** The key of the call's object whose value comes next. */
  #field = "";
  #closerRead = 0;

  constructor(onCall: (content: string) => void) {
    this.#onCall = onCall;
  }

  /** Take in a chunk that lies inside a string value as a whole, as most of a long argument does; false if it does not. */
  swallow(chunk: string): boolean {
    if (this.#state !== STRING) return false;
    const end = this.#stringEnd;
    const { isEscaping } = end;
    const isInside = end.find(chunk, 0) < 0;
    if (isInside) this.#call.add(chunk);
    else end.isEscaping = isEscaping;
    return isInside;
  }

  /**
   * Read `text` from index `from`; `base` is the offset of `text` in the generation.
   *
   * @returns the index after the last character that belongs to the block
   */
  read(text: string, from: number, base: number): number {
    /** Where in this text the open call continues, -1 while none is open. */
    let callFrom = this.#containers.length > 0 ? from : -1;
    let i = from;
    while (i < text.length && !this.closed && !this.fault) {
      const code = text.charCodeAt(i);
      switch (this.#state) {
        case STRING:
          i = this.#readString(text, i);
          continue;
        case KEY:
          i = this.#readKey(text, i, base);
          continue;
        case NUMBER:
          if (this.#readNumber(text, i, base)) i++;
          continue;
        case LITERAL:
          if (this.#token.charCodeAt(0) !== code) {
            this.#refuse(base + i, this.#found(text, i));
            continue;
          }
          this.#token = this.#token.slice(1);
          if (this.#token === "") this.#state = AFTER_VALUE;
          i++;
          continue;
        case CLOSER:
          if (this.#closerRead === 0 && isSpace(code)) i++;
          else if (EXECUTE_CLOSE.charCodeAt(this.#closerRead) === code) {
            i++;
            this.closed = ++this.#closerRead === EXECUTE_CLOSE.length;
          } else this.#refuse(base + i, this.#found(text, i));
          continue;
      }
      if (isSpace(code)) {
        this.#isPlain = false;
        i++;
        continue;
      }
      if (!this.#readStructure(code, base + i)) {
        const call = callFrom < 0 ? "" : this.#call.text + text.slice(callFrom, i);
        if (!this.fault) this.#refuse(base + i, this.#found(text, i, call));
        continue;
      }
      i++;
      if (this.#containers.length === 1 && code === OPEN_BRACE && callFrom < 0) {
        callFrom = i - 1;
        this.#callStart = base + callFrom;
        this.#isPlain = true;
        this.#hasEscapedKey = false;
      } else if (this.#containers.length === 0 && code === CLOSE_BRACE) {
        this.#call.add(text.slice(callFrom, i));
        this.#closeCall(this.#call.text);
        this.#call.clear();
        callFrom = -1;
      }
    }
    if (callFrom >= 0) this.#call.add(callFrom === 0 && i === text.length ? text : text.slice(callFrom, i));
    return i;
  }

  /** Whether the array is complete and only its closer, or a part of it, is missing (protocol.md P14). */
  get lacksOnlyCloser(): boolean {
    return this.#state === CLOSER;
  }

  /** At the end of input: what makes this no valid beginning of a block, if anything does (protocol.md P6). */
  endFault(): Fault | undefined {
    if (this.fault) return this.fault;
    const raw = this.#call.text;
    const at = stringFault(raw);
    if (at >= 0) this.#refuseString(raw, at);
    else if (this.#state === NUMBER) this.#refuseNumber(this.#callStart + raw.length, this.#number.growingFault);
    return this.fault;
  }

  /** One character outside strings, numbers and literals. False if no valid block can continue with it. */
  #readStructure(code: number, position: number): boolean {
    switch (this.#state) {
      case ARRAY:
        return code === OPEN_BRACKET && this.#to(FIRST_CALL);
      case FIRST_CALL:
        return code === CLOSE_BRACKET ? this.#to(CLOSER) : code === OPEN_BRACE && this.#open(true, position);
      case NEXT_CALL:
        return code === OPEN_BRACE && this.#open(true, position);
      case AFTER_CALL:
        if (code === COMMA) return this.#to(NEXT_CALL);
        return code === CLOSE_BRACKET && this.#to(CLOSER);
      case FIRST_KEY:
        if (code === CLOSE_BRACE) return this.#close(position);
        return this.#beginKey(code);
      case NEXT_KEY:
        return this.#beginKey(code);
      case AFTER_KEY:
        return code === COLON && this.#to(VALUE);
      case FIRST_ITEM:
        if (code === CLOSE_BRACKET) return this.#close(position);
        return this.#beginValue(code, position);
      case VALUE:
        return this.#beginValue(code, position);
      case AFTER_VALUE: {
        const inObject = this.#containers.at(-1);
        if (code === COMMA) return this.#to(inObject ? NEXT_KEY : VALUE);
        return code === (inObject ? CLOSE_BRACE : CLOSE_BRACKET) && this.#close(position);
      }
      default:
        return false;
    }
  }

  #to(state: number): true {
    this.#state = state;
    return true;
  }

  #beginKey(code: number): boolean {
    this.#token = "";
    return code === QUOTE && this.#to(KEY);
  }

  #beginValue(code: number, position: number): boolean {
    if (this.#containers.length === 1) {
      if (this.#field === "name" && code !== QUOTE) return this.#refuse(position, '"name" must be a string');
      if (this.#field === "args" && code !== OPEN_BRACE) return this.#refuse(position, '"args" must be an object');
    }
    switch (code) {
      case QUOTE:
        return this.#to(STRING);
      case OPEN_BRACE:
        return this.#open(true, position);
      case OPEN_BRACKET:
        return this.#open(false, position);
      case LOWER_T:
        return this.#beginLiteral("rue");
      case LOWER_F:
        return this.#beginLiteral("alse");
      case LOWER_N:
        return this.#beginLiteral("ull");
    }
    return this.#number.begin(code) && this.#to(NUMBER);
  }

  #beginLiteral(rest: string): true {
    this.#token = rest;
    return this.#to(LITERAL);
  }

  #open(isObject: boolean, position: number): boolean {
    // The block's own array is depth 1.
    if (this.#containers.length + 2 > maxDepth) return this.#refuse(position, `nested deeper than ${maxDepth} levels`);
    this.#containers.push(isObject);
    if (isObject) this.#keys.push(new Set());
    return this.#to(isObject ? FIRST_KEY : FIRST_ITEM);
  }

  #close(position: number): boolean {
    if (this.#containers.length === 1) {
      const keys = this.#keys[0];
      for (const field of ["name", "args"]) {
        if (!keys?.has(field)) return this.#refuse(position, `a call has no "${field}"`);
      }
    }
    if (this.#containers.pop()) this.#keys.pop();
    return this.#to(this.#containers.length === 0 ? AFTER_CALL : AFTER_VALUE);
  }

  #readString(text: string, from: number): number {
    const quote = this.#stringEnd.find(text, from);
    if (quote < 0) return text.length;
    this.#state = AFTER_VALUE;
    return quote + 1;
  }

  #readKey(text: string, from: number, base: number): number {
    const quote = this.#stringEnd.find(text, from);
    if (quote < 0) {
      this.#token += text.slice(from);
      return text.length;
    }
    const raw = this.#token + text.slice(from, quote);
    const key = decodeKey(raw);
    if (raw.includes("\\")) this.#hasEscapedKey = true;
    // Objects list such keys first.
    if (isIndex.test(key)) this.#isPlain = false;
    const keys = this.#keys.at(-1);
    if (key === "__proto__") this.#refuse(base + quote, 'the key "__proto__" is not allowed');
    else if (keys?.has(key))
      this.#refuse(base + quote, `the key ${JSON.stringify(key.slice(0, longestQuote))} is given twice`);
    keys?.add(key);
    if (this.#containers.length === 1) {
      if (key !== (keys?.size === 1 ? "name" : "args")) this.#isPlain = false;
      this.#field = key;
    }
    this.#state = AFTER_KEY;
    return quote + 1;
  }

  /** Whether the character belongs to the number, which ends before it if not. */
  #readNumber(text: string, i: number, base: number): boolean {
    const number = this.#number;
    const goesOn = number.read(text.charCodeAt(i));
    if (!goesOn && !number.isComplete) this.#refuse(base + i, this.#found(text, i));
    else this.#refuseNumber(base + i + (goesOn ? 1 : 0), goesOn ? number.growingFault : number.fault);
    if (!goesOn) {
      if (number.isUnusual) this.#isPlain = false;
      this.#state = AFTER_VALUE;
    }
    return goesOn;
  }

  #refuseNumber(end: number, message: string | undefined): void {
    if (message !== undefined) this.#refuse(end - this.#number.text.length, message);
  }

  #closeCall(raw: string): void {
    let call: ToolCall;
    try {
      call = this.#hasEscapedKey ? parseEscapedKeys(raw) : JSON.parse(raw);
    } catch {
      // The structure is known to be right: only a string can be wrong.
      this.#refuseString(raw, stringFault(raw));
      return;
    }
    const isCanonical = this.#isPlain && !unusualEscape.test(raw) && raw.isWellFormed();
    this.#onCall(isCanonical ? raw : callText(call.name, call.args));
  }

  #refuseString(raw: string, at: number): void {
    const code = raw.charCodeAt(at);
    const what =
      code === BACKSLASH
        ? `the escape ${raw.slice(at, at + 2)} does not exist; write a backslash as \\\\`
        : code === LF || code === CR
          ? "a line break inside a string; write it as \\n"
          : "a control character inside a string; write it as an escape";
    this.#refuse(this.#callStart + at, what);
  }

  #refuse(position: number, message: string): false {
    this.fault = { position, message };
    return false;
  }

  /** What stands at `index` where something else was expected, with the end of the call's text before it. */
  #found(text: string, index: number, call = ""): string {
    const message = `expected ${expected[this.#state]}, found ${JSON.stringify(text.charAt(index))}`;
    if (call === "") return message;
    const hint = this.#state === AFTER_VALUE ? ' (a quote inside a string is written \\")' : "";
    return `${message} after ${call.slice(-24).toWellFormed()}${hint}`;
  }
}

/** Escapes that JSON.stringify does not write, or not always. */
const unusualEscape = /\\[u/]/;

/** Keys that come first in an object, wherever they were written. */
const isIndex = /^\d+$/;

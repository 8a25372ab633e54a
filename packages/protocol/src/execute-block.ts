import { CR, isSpace, LF } from "./code-tracker.ts";
import { parseEscapedKeys, stringFault } from "./json-strings.ts";
import { EXECUTE_CLOSE } from "./markers.ts";
import { callText } from "./serialize.ts";
import type { ToolCall } from "./tool.ts";

/** Why a block is refused, and the offset at which no valid block can continue. */
export interface Fault {
  position: number;
  message: string;
}

const QUOTE = 34;
const PLUS = 43;
const COMMA = 44;
const MINUS = 45;
const DOT = 46;
const ZERO = 48;
const NINE = 57;
const COLON = 58;
const UPPER_E = 69;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const LOWER_E = 101;
const LOWER_F = 102;
const LOWER_N = 110;
const LOWER_T = 116;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** What may come next. The names before `key` are about the block's own array, the rest about what is inside a call. */
type State =
  | "array"
  | "firstCall"
  | "nextCall"
  | "afterCall"
  | "closer"
  | "firstKey"
  | "nextKey"
  | "key"
  | "colon"
  | "value"
  | "firstItem"
  | "afterValue"
  | "string"
  | "number"
  | "literal";

const expected: Record<State, string> = {
  array: 'the "[" of an array of calls',
  firstCall: 'a call, {"name": …, "args": …}, or "]"',
  nextCall: 'a call, {"name": …, "args": …}',
  afterCall: '"," or "]" after a call',
  closer: `only ${EXECUTE_CLOSE} after the array`,
  firstKey: 'a key in double quotes or "}"',
  nextKey: "a key in double quotes",
  key: "a key in double quotes",
  colon: '":" after a key',
  value: "a value",
  firstItem: 'a value or "]"',
  afterValue: '"," or the end of the object or array',
  string: "a string",
  number: "a digit",
  literal: "true, false or null",
};

/** Where inside a number: the digits after which it may end are marked. */
type NumberPart = "minus" | "zero" | "integer" | "dot" | "fraction" | "exponent" | "exponentSign" | "exponentDigits";
const completeNumber: ReadonlySet<NumberPart> = new Set(["zero", "integer", "fraction", "exponentDigits"]);

const maxDepth = 256;

/** A number is decoded at each digit of its exponent while it is shorter than this; a longer one when it ends. */
const longestWatched = 1000;

/** How much of what the model wrote a message repeats, in UTF-16 units. */
const longestQuote = 40;

/**
 * One `<execute>` block of the JSON dialect, read as it arrives (protocol.md P6, P7, P15). Structure is checked at
 * every character, from string to string in jumps; each call is decoded when its object closes.
 */
export class ExecuteBlock {
  /** Set when `</execute>` has been read. */
  closed = false;
  fault: Fault | undefined;

  readonly #onCall: (content: string) => void;
  #state: State = "array";
  /** Open containers inside the block's array, the call's own object included; true for an object. */
  #containers: boolean[] = [];
  /** Keys of the open objects. */
  #keys: Set<string>[] = [];
  /** The raw text of the open call up to the current chunk, and where it began. */
  #call = "";
  #callStart = 0;
  /** A key of the open call holds an escape. */
  #hasEscapedKey = false;
  /** Raw text of the key, number or literal being read. */
  #token = "";
  #numberPart: NumberPart = "minus";
  /** The last character read inside a string was a backslash that escapes the next. */
  #escaped = false;
  /** The key of the call's object whose value comes next. */
  #field = "";
  #closerRead = 0;

  constructor(onCall: (content: string) => void) {
    this.#onCall = onCall;
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
        case "string":
          i = this.#readString(text, i);
          continue;
        case "key":
          i = this.#readKey(text, i, base);
          continue;
        case "number":
          if (this.#continuesNumber(code)) {
            this.#token += text.charAt(i++);
            if (this.#token.length < longestWatched) this.#refuseOverflow(base + i - this.#token.length);
          } else if (!completeNumber.has(this.#numberPart)) {
            this.#refuse(base + i, this.#found(text, i));
          } else if (this.#acceptNumber(base + i - this.#token.length)) {
            this.#state = "afterValue";
          }
          continue;
        case "literal":
          if (this.#token.charCodeAt(0) !== code) {
            this.#refuse(base + i, this.#found(text, i));
            continue;
          }
          this.#token = this.#token.slice(1);
          if (this.#token === "") this.#state = "afterValue";
          i++;
          continue;
        case "closer":
          if (this.#closerRead === 0 && isSpace(code)) i++;
          else if (EXECUTE_CLOSE.charCodeAt(this.#closerRead) === code) {
            i++;
            this.closed = ++this.#closerRead === EXECUTE_CLOSE.length;
          } else this.#refuse(base + i, this.#found(text, i));
          continue;
      }
      if (isSpace(code)) {
        i++;
        continue;
      }
      if (!this.#readStructure(code, base + i)) {
        if (!this.fault)
          this.#refuse(base + i, this.#found(text, i, callFrom < 0 ? "" : this.#call + text.slice(callFrom, i)));
        continue;
      }
      i++;
      if (this.#containers.length === 1 && code === OPEN_BRACE && callFrom < 0) {
        callFrom = i - 1;
        this.#callStart = base + callFrom;
        this.#hasEscapedKey = false;
      } else if (this.#containers.length === 0 && code === CLOSE_BRACE) {
        this.#closeCall(this.#call + text.slice(callFrom, i));
        this.#call = "";
        callFrom = -1;
      }
    }
    if (callFrom >= 0) this.#call += text.slice(callFrom, i);
    return i;
  }

  /** Whether the array is complete and only its closer, or a part of it, is missing (protocol.md P14). */
  get lacksOnlyCloser(): boolean {
    return this.#state === "closer";
  }

  /** At the end of input: what makes this no valid beginning of a block, if anything does (protocol.md P6). */
  endFault(): Fault | undefined {
    if (this.fault) return this.fault;
    const at = stringFault(this.#call);
    if (at >= 0) this.#refuseString(this.#call, at);
    else if (this.#state === "number") {
      this.#refuseOverflow(this.#callStart + this.#call.length - this.#token.length);
    }
    return this.fault;
  }

  /** One character outside strings, numbers and literals. False if no valid block can continue with it. */
  #readStructure(code: number, position: number): boolean {
    switch (this.#state) {
      case "array":
        return code === OPEN_BRACKET && this.#to("firstCall");
      case "firstCall":
        return code === CLOSE_BRACKET ? this.#to("closer") : code === OPEN_BRACE && this.#open(true, position);
      case "nextCall":
        return code === OPEN_BRACE && this.#open(true, position);
      case "afterCall":
        if (code === COMMA) return this.#to("nextCall");
        return code === CLOSE_BRACKET && this.#to("closer");
      case "firstKey":
        if (code === CLOSE_BRACE) return this.#close(position);
        return this.#beginKey(code);
      case "nextKey":
        return this.#beginKey(code);
      case "colon":
        return code === COLON && this.#to("value");
      case "firstItem":
        if (code === CLOSE_BRACKET) return this.#close(position);
        return this.#beginValue(code, position);
      case "value":
        return this.#beginValue(code, position);
      case "afterValue": {
        const inObject = this.#containers.at(-1);
        if (code === COMMA) return this.#to(inObject ? "nextKey" : "value");
        return code === (inObject ? CLOSE_BRACE : CLOSE_BRACKET) && this.#close(position);
      }
      default:
        return false;
    }
  }

  #to(state: State): true {
    this.#state = state;
    return true;
  }

  #beginKey(code: number): boolean {
    this.#token = "";
    return code === QUOTE && this.#to("key");
  }

  #beginValue(code: number, position: number): boolean {
    if (this.#containers.length === 1) {
      if (this.#field === "name" && code !== QUOTE) return this.#refuse(position, '"name" must be a string');
      if (this.#field === "args" && code !== OPEN_BRACE) return this.#refuse(position, '"args" must be an object');
    }
    switch (code) {
      case QUOTE:
        return this.#to("string");
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
    if (code !== MINUS && !isDigit(code)) return false;
    this.#token = String.fromCharCode(code);
    this.#numberPart = code === MINUS ? "minus" : code === ZERO ? "zero" : "integer";
    return this.#to("number");
  }

  #beginLiteral(rest: string): true {
    this.#token = rest;
    return this.#to("literal");
  }

  #open(isObject: boolean, position: number): boolean {
    // The block's own array is depth 1.
    if (this.#containers.length + 2 > maxDepth) return this.#refuse(position, `nested deeper than ${maxDepth} levels`);
    this.#containers.push(isObject);
    if (isObject) this.#keys.push(new Set());
    return this.#to(isObject ? "firstKey" : "firstItem");
  }

  #close(position: number): boolean {
    if (this.#containers.length === 1) {
      const keys = this.#keys[0];
      for (const field of ["name", "args"]) {
        if (!keys?.has(field)) return this.#refuse(position, `a call has no "${field}"`);
      }
    }
    if (this.#containers.pop()) this.#keys.pop();
    return this.#to(this.#containers.length === 0 ? "afterCall" : "afterValue");
  }

  #readString(text: string, from: number): number {
    const quote = this.#findQuote(text, from);
    if (quote < 0) return text.length;
    this.#state = "afterValue";
    return quote + 1;
  }

  #readKey(text: string, from: number, base: number): number {
    const quote = this.#findQuote(text, from);
    if (quote < 0) {
      this.#token += text.slice(from);
      return text.length;
    }
    const raw = this.#token + text.slice(from, quote);
    if (raw.includes("\\")) this.#hasEscapedKey = true;
    const key = decodeKey(raw);
    const keys = this.#keys.at(-1);
    if (key === "__proto__") this.#refuse(base + quote, 'the key "__proto__" is not allowed');
    else if (keys?.has(key))
      this.#refuse(base + quote, `the key ${JSON.stringify(key.slice(0, longestQuote))} is given twice`);
    keys?.add(key);
    if (this.#containers.length === 1) this.#field = key;
    this.#state = "colon";
    return quote + 1;
  }

  /** The index of the quote that ends the string, -1 if it is not in this text. Linear: each character is looked at once. */
  #findQuote(text: string, from: number): number {
    let start = from;
    if (this.#escaped) {
      this.#escaped = false;
      start++;
    }
    for (let search = start; ; ) {
      const quote = text.indexOf('"', search);
      const stop = quote < 0 ? text.length : quote;
      let before = stop - 1;
      while (before >= start && text.charCodeAt(before) === BACKSLASH) before--;
      const escaped = (stop - 1 - before) % 2 === 1;
      if (quote < 0) {
        this.#escaped = escaped;
        return -1;
      }
      if (!escaped) return quote;
      search = quote + 1;
    }
  }

  /** Whether the number goes on with this character; moves on inside it if so. */
  #continuesNumber(code: number): boolean {
    const next = numberPartAfter(this.#numberPart, code);
    if (next === undefined) return false;
    this.#numberPart = next;
    return true;
  }

  /** Once an exponent is known to be positive, more of it can only make a number that is too large larger. */
  #refuseOverflow(position: number): void {
    const isGrowing = this.#numberPart === "exponentSign" || this.#numberPart === "exponentDigits";
    if (!isGrowing || this.#token.includes("-", 1)) return;
    const least = this.#numberPart === "exponentSign" ? `${this.#token}0` : this.#token;
    if (!Number.isFinite(Number(least))) this.#acceptNumber(position);
  }

  #acceptNumber(position: number): boolean {
    const value = Number(this.#token);
    if (!Number.isFinite(value)) return this.#refuse(position, "the number is too large; write it as a string");
    if (this.#numberPart === "integer" && !Number.isSafeInteger(value)) {
      return this.#refuse(
        position,
        `the integer ${this.#token.slice(0, longestQuote)} would lose digits; write it as a string`,
      );
    }
    return true;
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
    this.#onCall(callText(call.name, call.args));
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
    const hint = this.#state === "afterValue" ? ' (a quote inside a string is written \\")' : "";
    return `${message} after ${call.slice(-24).toWellFormed()}${hint}`;
  }
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

function numberPartAfter(part: NumberPart, code: number): NumberPart | undefined {
  const isExponent = code === LOWER_E || code === UPPER_E;
  switch (part) {
    case "minus":
      return code === ZERO ? "zero" : isDigit(code) ? "integer" : undefined;
    case "zero":
      return code === DOT ? "dot" : isExponent ? "exponent" : undefined;
    case "integer":
      return isDigit(code) ? "integer" : code === DOT ? "dot" : isExponent ? "exponent" : undefined;
    case "dot":
      return isDigit(code) ? "fraction" : undefined;
    case "fraction":
      return isDigit(code) ? "fraction" : isExponent ? "exponent" : undefined;
    case "exponent":
      return isDigit(code) ? "exponentDigits" : code === PLUS || code === MINUS ? "exponentSign" : undefined;
    case "exponentSign":
    case "exponentDigits":
      return isDigit(code) ? "exponentDigits" : undefined;
  }
}

/** A key as it will compare once decoded; one with a bad escape is refused when its call closes. */
function decodeKey(raw: string): string {
  try {
    return (raw.includes("\\") ? (JSON.parse(`"${raw}"`) as string) : raw).toWellFormed();
  } catch {
    return raw;
  }
}

const PLUS = 43;
const MINUS = 45;
const DOT = 46;
const ZERO = 48;
const NINE = 57;
const UPPER_E = 69;
const LOWER_E = 101;

type Part = "minus" | "zero" | "integer" | "dot" | "fraction" | "exponent" | "exponentSign" | "exponentDigits";

/** The parts after which a number may end. */
const complete: ReadonlySet<Part> = new Set(["zero", "integer", "fraction", "exponentDigits"]);

/** A number is decoded at each digit of its exponent while it is shorter than this; a longer one when it ends. */
const longestWatched = 1000;

/** How much of a number a message repeats, in UTF-16 units. */
const longestQuote = 40;

/** Reads one JSON number as it arrives, and tells what is too large to be kept (protocol.md P15). */
export class NumberReader {
  text = "";
  #part: Part = "minus";

  /** Whether a number can begin with this character; begins one if so. */
  begin(code: number): boolean {
    if (code !== MINUS && !isDigit(code)) return false;
    this.text = String.fromCharCode(code);
    this.#part = code === MINUS ? "minus" : code === ZERO ? "zero" : "integer";
    return true;
  }

  /** Whether the number goes on with this character; goes on if so. */
  read(code: number): boolean {
    const next = partAfter(this.#part, code);
    if (next === undefined) return false;
    this.#part = next;
    this.text += String.fromCharCode(code);
    return true;
  }

  get isComplete(): boolean {
    return complete.has(this.#part);
  }

  /** JSON.stringify may write it in another way than it stands. */
  get isUnusual(): boolean {
    return (this.#part !== "integer" && this.#part !== "zero") || this.text === "-0";
  }

  /** What is wrong with it, if it ends here. */
  get fault(): string | undefined {
    const value = Number(this.text);
    if (!Number.isFinite(value)) return tooLarge;
    if (this.#part !== "integer" || Number.isSafeInteger(value)) return undefined;
    return `the integer ${this.text.slice(0, longestQuote)} would lose digits; write it as a string`;
  }

  /** What is wrong with it however it goes on: once the exponent is known to be positive, it can only grow. */
  get growingFault(): string | undefined {
    const isGrowing = this.#part === "exponentSign" || this.#part === "exponentDigits";
    if (!isGrowing || this.text.length > longestWatched || this.text.includes("-", 1)) return undefined;
    const least = this.#part === "exponentSign" ? `${this.text}0` : this.text;
    return Number.isFinite(Number(least)) ? undefined : tooLarge;
  }
}

const tooLarge = "the number is too large; write it as a string";

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

function partAfter(part: Part, code: number): Part | undefined {
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

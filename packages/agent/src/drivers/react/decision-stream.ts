export interface DecisionPiece {
  type: "think" | "respond";
  text: string;
}

/**
 * Reads the thought and the answer of a decision while the model writes it, character by character. It only watches: whether the
 * text is a decision shows at its end. From the first character that cannot be JSON on, it gives nothing more.
 *
 * An answer is given only after the `type` that says it is one.
 */
export class DecisionStream {
  /** What was given so far. */
  thought = "";
  answer = "";
  readonly #givesAnswer: boolean;
  /** Text before the object; undefined once that has begun. */
  #before: string | undefined = "";
  #isOver = false;
  #expected: "key" | "colon" | "value" | "comma" = "key";
  #key = "";
  #type = "";
  /** Whether the fields stand in the object `decision`. */
  #isInner = false;
  /** How deep the value is nested that is skipped. */
  #skipped = 0;
  #isString = false;
  /** The escape sequence that has begun, without its backslash. */
  #escape: string | undefined;
  #given: DecisionPiece[] = [];

  /** @param givesAnswer whether the answer is for the user as it is */
  constructor(givesAnswer: boolean) {
    this.#givesAnswer = givesAnswer;
  }

  write(piece: string): DecisionPiece[] {
    this.#given = [];
    for (const unit of this.#begun(piece)) {
      if (this.#isOver) break;
      if (this.#isString) this.#readString(unit);
      else this.#readStructure(unit);
    }
    return this.#given;
  }

  /** What of the piece stands behind the brace that begins the object. */
  #begun(piece: string): string {
    if (this.#before === undefined || this.#isOver) return piece;
    this.#before += piece;
    const opening = /^\s*(?:```\w*\s*)?\{/.exec(this.#before)?.[0];
    if (opening === undefined) {
      this.#isOver = !/^\s*(?:`{0,3}|```\w*\s*)$/.test(this.#before);
      return "";
    }
    const rest = this.#before.slice(opening.length);
    this.#before = undefined;
    return rest;
  }

  #readStructure(unit: string): void {
    if (/\s/.test(unit)) return;
    if (this.#skipped > 0) {
      if (unit === '"') this.#isString = true;
      else if (unit === "{" || unit === "[") this.#skipped++;
      else if (unit === "}" || unit === "]") this.#skipped--;
      return;
    }
    switch (this.#expected) {
      case "key":
        if (unit === '"') {
          this.#isString = true;
          this.#key = "";
        } else this.#isOver = true;
        break;
      case "colon":
        this.#expected = "value";
        this.#isOver = unit !== ":";
        break;
      case "value":
        this.#beginValue(unit);
        break;
      case "comma":
        if (unit === ",") this.#expected = "key";
        else if (unit === "}" && this.#isInner) this.#isInner = false;
        // The letters of a number or a word stand here, too.
        else if (!/[\w.+-]/.test(unit)) this.#isOver = true;
        break;
    }
  }

  #beginValue(unit: string): void {
    if (unit === "{" && this.#key === "decision" && !this.#isInner) {
      this.#isInner = true;
      this.#expected = "key";
      return;
    }
    if (unit === '"') {
      this.#isString = true;
      if (this.#key === "type") this.#type = "";
      return;
    }
    this.#expected = "comma";
    if (unit === "{" || unit === "[") this.#skipped = 1;
  }

  #readString(unit: string): void {
    if (this.#escape !== undefined) {
      this.#escape += unit;
      const escaped = characterOf(this.#escape);
      if (escaped === undefined) return;
      this.#escape = undefined;
      if (escaped === null) this.#isOver = true;
      else this.#take(escaped);
    } else if (unit === "\\") this.#escape = "";
    else if (unit === '"') this.#endString();
    else if (unit < " ") this.#isOver = true;
    else this.#take(unit);
  }

  #endString(): void {
    this.#isString = false;
    if (this.#skipped > 0) return;
    this.#expected = this.#expected === "key" ? "colon" : "comma";
  }

  #take(text: string): void {
    if (this.#skipped > 0) return;
    if (this.#expected === "key") this.#key += text;
    else if (this.#key === "type") this.#type += text;
    else if (this.#key === "thought") {
      this.thought += text;
      this.#give("think", text);
    } else if (this.#key === "answer" && this.#type === "final_answer" && this.#givesAnswer) {
      this.answer += text;
      this.#give("respond", text);
    }
  }

  #give(type: DecisionPiece["type"], text: string): void {
    const last = this.#given.at(-1);
    if (last?.type === type) last.text += text;
    else this.#given.push({ type, text });
  }
}

/** The character of an escape sequence; undefined if it has not ended, null if it is none. */
function characterOf(sequence: string): string | undefined | null {
  const [letter = ""] = sequence;
  if (letter !== "u") return escapes[letter] ?? null;
  const digits = sequence.slice(1);
  if (!/^[\da-f]*$/i.test(digits)) return null;
  return digits.length < 4 ? undefined : String.fromCharCode(Number.parseInt(digits, 16));
}

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/** Character codes that the scanners look for. */
const TAB = 9;
export const LF = 10;
export const CR = 13;
const SPACE = 32;
const LESS_THAN = 60;
const BACKTICK = 96;

export function isSpace(code: number): boolean {
  return code === SPACE || code === LF || code === CR || code === TAB;
}

/**
 * Follows the code of a reply one character at a time, without looking ahead (protocol.md P10). A run of backticks
 * opens a span that ends at an equal run or at the line's end; three or more that begin a line, with no further
 * backtick on it, turn into a fence when that line ends.
 */
export class CodeTracker {
  /** Length of the run that opened the fence, 0 outside of one. */
  #fence = 0;
  /** Length of the run that opened the span, 0 outside of one. */
  #span = 0;
  /** Whether the open span is a fence if its line ends without another backtick. */
  #spanMayFence = false;
  /** Backticks of the run being read, which the next character ends. */
  #run = 0;
  #runBeginsLine = false;
  /** Only white space so far on this line. */
  #lineIsBlank = true;
  /** Backticks on a line of a fence that holds nothing else so far, -1 once it does. */
  #closer = 0;
  #closerEnded = false;

  /** A unit begins a line, with no code open. */
  reset(): void {
    this.#fence = 0;
    this.#span = 0;
    this.#run = 0;
    this.#beginLine();
  }

  /** The index of the next `<` that is no code, at `from` or later; the length of the text if there is none. */
  next(text: string, from: number): number {
    let lessThan = -1;
    let backtick = -1;
    let i = from;
    while (i < text.length) {
      if (this.#fence === 0 && this.#span === 0 && this.#run === 0) {
        // Nothing else can change anything here, so everything up to one of these is passed at once.
        if (lessThan < i) lessThan = indexOf(text, "<", i);
        if (backtick < i) backtick = indexOf(text, "`", i);
        const stop = Math.min(lessThan, backtick);
        if (stop > i) this.#pass(text, i, stop);
        i = stop;
        if (i === lessThan) return i;
      }
      const code = text.charCodeAt(i);
      if (code === LESS_THAN && !this.#isCode()) return i;
      this.#read(code);
      i++;
    }
    return i;
  }

  /** Take in a text that is known to open no marker and to hold no backtick. */
  pass(text: string): void {
    this.#isCode();
    this.#pass(text, 0, text.length);
  }

  /** Text without backticks while no code is open: what matters is whether its last line is blank so far. */
  #pass(text: string, from: number, to: number): void {
    for (let i = to - 1; i >= from; i--) {
      const code = text.charCodeAt(i);
      if (code === SPACE || code === TAB) continue;
      this.#lineIsBlank = code === LF || code === CR;
      return;
    }
  }

  /** Whether a character that is no backtick is code here. It ends the run before it. */
  #isCode(): boolean {
    if (this.#run > 0) this.#endRun();
    return this.#fence > 0 || this.#span > 0;
  }

  #read(code: number): void {
    if (code === BACKTICK) this.#readBacktick();
    else if (this.#isCode() || code === LF || code === CR) {
      if (code === LF || code === CR) this.#endLine();
      else if (code !== SPACE && code !== TAB) this.#closer = -1;
      else if (this.#closer > 0) this.#closerEnded = true;
      this.#lineIsBlank = this.#lineIsBlank && isSpace(code);
    } else if (!isSpace(code)) this.#lineIsBlank = false;
  }

  #readBacktick(): void {
    if (this.#fence > 0) {
      if (this.#closerEnded) this.#closer = -1;
      if (this.#closer >= 0) this.#closer++;
      return;
    }
    if (this.#run === 0) this.#runBeginsLine = this.#lineIsBlank;
    this.#run++;
    this.#lineIsBlank = false;
  }

  #endRun(): void {
    const run = this.#run;
    this.#run = 0;
    if (this.#span === 0) {
      this.#span = run;
      this.#spanMayFence = run >= 3 && this.#runBeginsLine;
    } else {
      this.#spanMayFence = false;
      if (this.#span === run) this.#span = 0;
    }
  }

  #endLine(): void {
    if (this.#fence > 0) {
      if (this.#closer >= this.#fence) this.#fence = 0;
    } else if (this.#span > 0) {
      if (this.#spanMayFence) this.#fence = this.#span;
      this.#span = 0;
    }
    this.#beginLine();
  }

  #beginLine(): void {
    this.#lineIsBlank = true;
    this.#closer = 0;
    this.#closerEnded = false;
  }
}

function indexOf(text: string, character: string, from: number): number {
  const index = text.indexOf(character, from);
  return index < 0 ? text.length : index;
}

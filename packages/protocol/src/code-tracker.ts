/** Character codes that the scanners look for. */
export const TAB = 9;
export const LF = 10;
export const CR = 13;
export const SPACE = 32;
export const BACKTICK = 96;

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

  /** Whether no code is open and no run is being read, so that characters other than ` and line ends change nothing. */
  get isCalm(): boolean {
    return this.#fence === 0 && this.#span === 0 && this.#run === 0;
  }

  /** Whether the next character, which is no backtick, is code. It ends the run before it. */
  beforeText(): boolean {
    if (this.#run > 0) this.#endRun();
    return this.#fence > 0 || this.#span > 0;
  }

  read(code: number): void {
    if (code === BACKTICK) {
      this.#readBacktick();
      return;
    }
    if (this.#run > 0) this.#endRun();
    if (code === LF || code === CR) this.#endLine();
    else if (code !== SPACE && code !== TAB) this.readText();
    else if (this.#closer > 0) this.#closerEnded = true;
  }

  /** A stretch of characters that are neither white space nor backticks. */
  readText(): void {
    this.#lineIsBlank = false;
    this.#closer = -1;
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

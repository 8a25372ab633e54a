import { BACKTICK, CR, indexOf, isBlank, LESS_THAN, LF } from "../text/characters.ts";

/**
 * Follows the code of a reply without looking ahead (protocol.md P10). A run of backticks opens a span that ends at an
 * equal run or at the line's end; three or more that begin a line, with no further backtick on it, turn into a fence
 * when that line ends.
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
  /** Length of the run that closes the fence if nothing else comes on its line. */
  #closer = 0;

  /** A unit begins a line, with no code open. */
  reset(): void {
    this.#fence = this.#span = this.#run = 0;
    this.#endLine();
  }

  /** The index of the next `<` that is no code, at `from` or later; the length of the text if there is none. */
  next(text: string, from: number): number {
    let lessThan = -1;
    let backtick = -1;
    for (let i = from; i < text.length; i++) {
      if (this.#run === 0 && this.#span === 0 && this.#closer === 0) {
        // Nothing but a backtick or `<` can change anything here, so everything before it is passed at once.
        if (backtick < i) backtick = indexOf(text, "`", i);
        if (lessThan < i && this.#fence === 0) lessThan = indexOf(text, "<", i);
        const stop = this.#fence > 0 || backtick < lessThan ? backtick : lessThan;
        this.#skip(text, i, stop);
        i = stop;
        if (i === text.length) break;
      }
      const code = text.charCodeAt(i);
      if (code === BACKTICK) {
        if (this.#run++ === 0) this.#runBeginsLine = this.#lineIsBlank;
        this.#lineIsBlank = false;
        continue;
      }
      this.#endRun();
      if (code === LESS_THAN && this.#fence === 0 && this.#span === 0) return i;
      if (code === LF || code === CR) this.#endLine();
      else if (!isBlank(code)) {
        this.#lineIsBlank = false;
        this.#closer = 0;
      }
    }
    return text.length;
  }

  /** Take in a text that is known to open no marker and to hold no backtick. */
  pass(text: string): void {
    this.#endRun();
    this.#skip(text, 0, text.length);
  }

  #endRun(): void {
    if (this.#run === 0) return;
    if (this.#fence > 0) this.#closer = this.#runBeginsLine ? this.#run : 0;
    else {
      this.#spanMayFence = this.#span === 0 && this.#run >= 3 && this.#runBeginsLine;
      if (this.#span === 0) this.#span = this.#run;
      else if (this.#span === this.#run) this.#span = 0;
    }
    this.#run = 0;
  }

  #endLine(): void {
    if (this.#fence > 0) {
      if (this.#closer >= this.#fence) this.#fence = 0;
    } else if (this.#span > 0) {
      if (this.#spanMayFence) this.#fence = this.#span;
      this.#span = 0;
    }
    this.#closer = 0;
    this.#lineIsBlank = true;
  }

  /** Text in which nothing can change but whether its last line is blank so far. */
  #skip(text: string, from: number, to: number): void {
    for (let i = to - 1; i >= from; i--) {
      const code = text.charCodeAt(i);
      if (isBlank(code)) continue;
      this.#lineIsBlank = code === LF || code === CR;
      return;
    }
  }
}

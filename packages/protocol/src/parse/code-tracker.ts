import { BACKTICK, CR, indexOf, isBlank, LESS_THAN, LF } from "../text/characters.ts";

/**
 * Knows at each character of a reply whether it is code, without looking ahead (protocol.md P10). A run of backticks
 * opens a span, which ends at an equal run or at the end of the line. A span of three or more backticks that begins its
 * line becomes a fence when the line ends without a further backtick.
 *
 * @example in "a `<end>` b <end>" the first `<` is code, the second is not
 */
export class CodeTracker {
  /** The length of the run that opened the fence; 0 outside of a fence. */
  #fence = 0;
  /** The length of the run that opened the span; 0 outside of a span. */
  #span = 0;
  /** Whether the open span becomes a fence if its line ends without another backtick. */
  #mayBecomeFence = false;
  /** The number of backticks in the run that is being read; 0 outside of a run. */
  #run = 0;
  #runBeginsLine = false;
  /** Whether the line holds only white space so far. */
  #lineIsBlank = true;
  /** The length of the run that closes the fence if nothing else follows on its line; 0 if there is none. */
  #closer = 0;
  /** The text that is being read. */
  #text = "";
  /** The index of its next backtick, kept so that none of it is searched twice; -1 if it has not been searched. */
  #backtick = -1;

  /** Begins a unit: at the beginning of a line, with no code open. */
  reset(): void {
    this.#fence = this.#span = this.#run = 0;
    this.#endLine();
  }

  /** Goes on with another piece of the generation. */
  begin(text: string): void {
    this.#text = text;
    this.#backtick = -1;
  }

  /**
   * The index in the piece of the next `<` outside of code, at `from` or later; the length of the piece if there is none.
   * `from` never decreases.
   */
  next(from: number): number {
    const text = this.#text;
    let lessThan = -1;
    for (let i = from; i < text.length; i++) {
      if (this.#run === 0 && this.#span === 0 && this.#closer === 0) {
        // Only a backtick or `<` can change anything here, so all characters before it are passed at once.
        if (this.#backtick < i) this.#backtick = indexOf(text, "`", i);
        if (lessThan < i && this.#fence === 0) lessThan = indexOf(text, "<", i);
        const stop = this.#fence > 0 ? this.#backtick : Math.min(this.#backtick, lessThan);
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

  /** Reads a text that opens no marker and holds no backtick. */
  pass(text: string): void {
    this.#endRun();
    this.#skip(text, 0, text.length);
  }

  #endRun(): void {
    if (this.#run === 0) return;
    if (this.#fence > 0) this.#closer = this.#runBeginsLine ? this.#run : 0;
    else {
      this.#mayBecomeFence = this.#span === 0 && this.#run >= 3 && this.#runBeginsLine;
      if (this.#span === 0) this.#span = this.#run;
      else if (this.#span === this.#run) this.#span = 0;
    }
    this.#run = 0;
  }

  #endLine(): void {
    if (this.#fence > 0) {
      if (this.#closer >= this.#fence) this.#fence = 0;
    } else if (this.#span > 0) {
      if (this.#mayBecomeFence) this.#fence = this.#span;
      this.#span = 0;
    }
    this.#closer = 0;
    this.#lineIsBlank = true;
  }

  /** Passes text that can only change whether the line is blank so far. */
  #skip(text: string, from: number, to: number): void {
    for (let i = to - 1; i >= from; i--) {
      const code = text.charCodeAt(i);
      if (isBlank(code)) continue;
      this.#lineIsBlank = code === LF || code === CR;
      return;
    }
  }
}

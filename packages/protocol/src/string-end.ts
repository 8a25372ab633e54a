const BACKSLASH = 92;

/** Finds where a JSON string that arrives in pieces ends. */
export class StringEnd {
  /** The last character read was a backslash that escapes the next. */
  isEscaping = false;

  /** The index of the quote that ends the string, -1 if it is not in this text. Looks at each character once. */
  find(text: string, from: number): number {
    if (from === text.length) return -1;
    let start = from;
    if (this.isEscaping) {
      this.isEscaping = false;
      start++;
    }
    for (let search = start; ; ) {
      const quote = text.indexOf('"', search);
      const stop = quote < 0 ? text.length : quote;
      let before = stop - 1;
      while (before >= start && text.charCodeAt(before) === BACKSLASH) before--;
      const isEscaping = (stop - 1 - before) % 2 === 1;
      if (quote < 0) {
        this.isEscaping = isEscaping;
        return -1;
      }
      if (!isEscaping) return quote;
      search = quote + 1;
    }
  }
}

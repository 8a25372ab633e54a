/** Text as it is compared: without case and without accents. */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text.toLowerCase().normalize("NFKD").replaceAll(/\p{M}/gu, "").normalize("NFC").replaceAll("ς", "σ");
}

/** Where in a text the character begins that gave the folded text its character at `folded`. */
export function unfoldedIndex(text: string, folded: number): number {
  if (isAscii(text)) return folded;
  let index = 0;
  let length = 0;
  // Several characters may fold to one together, as those of a syllable of Hangul do, but none with white space.
  for (const [run] of text.matchAll(/\s+|\S+/gu)) {
    const { length: more } = fold(run);
    if (length + more > folded) return index + indexInRun(run, folded - length);
    index += run.length;
    length += more;
  }
  return index;
}

function indexInRun(run: string, folded: number): number {
  let index = 0;
  let length = 0;
  for (const character of run) {
    length += character < "\u0080" ? 1 : fold(character).length;
    if (length > folded) break;
    index += character.length;
  }
  return index;
}

function isAscii(text: string): boolean {
  return !/[^\0-\u007f]/.test(text);
}

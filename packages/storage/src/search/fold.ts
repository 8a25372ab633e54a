/** Text as it is compared: without case and without accents. */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text.toLowerCase().normalize("NFKD").replaceAll(/\p{M}/gu, "").normalize("NFC").replaceAll("ς", "σ");
}

/** Where in a text the character begins that gave the folded text its character at `folded`. */
export function unfoldedIndex(text: string, folded: number): number {
  if (isAscii(text)) return folded;
  // Several characters may fold to one together, as those of a syllable of Hangul do, but none with white space. To fold
  // a page is as quick as to fold a word: the page is looked for first.
  return indexIn(text, folded, /[\s\S]{2000}\S*\s*|[\s\S]+/g, (page, inPage) =>
    indexIn(page, inPage, /\s+|\S+/g, indexInRun),
  );
}

/** The place in the part that holds it; parts are folded apart from each other. */
function indexIn(
  text: string,
  folded: number,
  parts: RegExp,
  indexInPart: (part: string, folded: number) => number,
): number {
  let index = 0;
  let length = 0;
  for (const [part] of text.matchAll(parts)) {
    const { length: more } = fold(part);
    if (length + more > folded) return index + indexInPart(part, folded - length);
    index += part.length;
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

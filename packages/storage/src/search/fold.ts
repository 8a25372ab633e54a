/** Returns text in the form in which a search compares it: without case and accents. */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text.toLowerCase().normalize("NFKD").replaceAll(/\p{M}/gu, "").normalize("NFC").replaceAll("ς", "σ");
}

/** The index in `text` of the character that folds to the character at index `folded` of the folded text. */
export function unfoldedIndex(text: string, folded: number): number {
  if (isAscii(text)) return folded;
  // Several characters can fold to one, as in a syllable of Hangul, but never across white space. Folding a page takes
  // as long as folding a word, so this finds the page first.
  return indexIn(text, folded, /[\s\S]{2000}\S*\s*|[\s\S]+/g, (page, inPage) =>
    indexIn(page, inPage, /\s+|\S+/g, indexInRun),
  );
}

/** Finds the part that contains the index, and the index in it. Each part is folded by itself. */
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

/**
 * Puts the arguments into a text: all of them for `$ARGUMENTS`, each word for `$1`, `$2` and so on, nothing for a word that was not
 * given. Words are separated by blanks; quotes hold a word with blanks together. `\$1` stays `$1`. Arguments that the text has no place
 * for follow it.
 */
export function fillArguments(text: string, given: string): string {
  return fillPlaces(text, given, (name, words) => {
    if (name === "ARGUMENTS") return given;
    return /^[1-9]\d?$/.test(name) ? (words[Number(name) - 1] ?? "") : undefined;
  });
}

/**
 * Fills the places `$…` of a text at once, so that nothing that is put in is filled again. A place that `textFor` does not know stays
 * as it is.
 */
export function fillPlaces(
  text: string,
  given: string,
  textFor: (name: string, words: readonly string[]) => string | undefined,
): string {
  const words = wordsOf(given);
  let isPlaced = false;
  const filled = text.replace(/(\\?)\$(@|[1-9]\d?|[A-Z][A-Z\d_]*\b)/g, (whole, backslash: string, name: string) => {
    const value = textFor(name, words);
    if (value === undefined) return whole;
    if (backslash !== "") return whole.slice(1);
    isPlaced = true;
    return value;
  });
  return isPlaced || given.trim() === "" ? filled : `${filled}\n\nArguments: ${given}`;
}

function wordsOf(given: string): string[] {
  const words = given.matchAll(/"([^"]*)"|'([^']*)'|([A-Z_\d]+=(?:"[^"]*"|'[^']*')|\S+)/g);
  return [...words].map(([, double, single, plain]) => double ?? single ?? plain ?? "");
}

/**
 * Puts the arguments into a text: all of them for `$ARGUMENTS`, each word for `$1`, `$2` and so on, nothing for a word that was not
 * given. Words are separated by blanks; quotes hold a word with blanks together. `\$1` stays `$1`. Arguments that the text has no place
 * for follow it.
 */
export function fillArguments(text: string, given: string): string {
  const words = wordsOf(given);
  let isPlaced = false;
  const filled = text.replace(/(\\?)\$(ARGUMENTS\b|[1-9]\d?)/g, (whole, backslash: string, name: string) => {
    if (backslash !== "") return whole.slice(1);
    isPlaced = true;
    return name === "ARGUMENTS" ? given : (words[Number(name) - 1] ?? "");
  });
  return isPlaced || given.trim() === "" ? filled : `${filled}\n\nArguments: ${given}`;
}

function wordsOf(given: string): string[] {
  const words = given.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g);
  return [...words].map(([, double, single, plain]) => double ?? single ?? plain ?? "");
}

const escapes = '"\\/bfnrt';
const hex = /[0-9a-fA-F]/;

/**
 * Where the strings of some JSON text go wrong: the offset of the first raw control character or of the first
 * backslash that begins no valid escape, -1 if there is none. The text may end inside a string or an escape.
 */
export function stringFault(text: string): number {
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    if (character === '"') inString = !inString;
    else if (!inString) continue;
    else if (character < " ") return i;
    else if (character === "\\") {
      const kind = text.charAt(i + 1);
      if (kind === "u") {
        for (const digit of text.slice(i + 2, i + 6)) if (!hex.test(digit)) return i;
      } else if (!escapes.includes(kind)) return i;
      i += 1;
    }
  }
  return -1;
}

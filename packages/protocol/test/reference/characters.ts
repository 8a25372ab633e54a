/** White space as protocol.md §1 defines it; false for the empty string. */
function isSpace(character: string): boolean {
  return character === "\t" || character === "\n" || character === "\r" || character === " ";
}

/** The index of the first character at `at` or later that is not white space. */
export function skipSpace(text: string, at: number): number {
  let index = at;
  while (isSpace(text.charAt(index))) index++;
  return index;
}

/** Without the white space around it. `String.trim` cuts off more. */
export function trim(text: string): string {
  return text.replace(/^[\t\n\r ]+/, "").replace(/[\t\n\r ]+$/, "");
}

/** A text on one line: white space and control characters are one space each time. */
export function oneLine(text: string): string {
  return text
    .replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, " ")
    .trim()
    .toWellFormed();
}

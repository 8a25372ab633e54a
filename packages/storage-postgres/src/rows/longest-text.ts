/** The most characters of one statement. PostgreSQL limits a text to a gigabyte, and a UTF-16 unit takes up to three bytes. */
export const longestText = 300_000_000;

export function isTooLarge(texts: readonly string[]): boolean {
  return texts.reduce((sum, text) => sum + text.length, 0) > longestText;
}

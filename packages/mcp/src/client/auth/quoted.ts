/** A text of a server for a message: on one line, without hidden characters, at most `most` characters, in quotation marks. */
export function quoted(text: string, most = 200): string {
  const plain = text
    .slice(0, most * 4)
    .replace(/[\p{C}\p{Z}\s]+/gu, " ")
    .trim();
  const clipped = plain.length > most ? `${plain.slice(0, most)}…` : plain;
  return `“${clipped.toWellFormed()}”`;
}

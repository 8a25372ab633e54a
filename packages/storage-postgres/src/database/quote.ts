/**
 * A name as SQL writes it, whatever characters it has.
 *
 * @throws RangeError for a name that PostgreSQL would cut or refuse
 */
export function quoteIdentifier(name: string): string {
  const length = new TextEncoder().encode(name).length;
  if (length === 0 || length > longest || name.includes("\0")) {
    throw new RangeError(
      `${JSON.stringify(name)} cannot be a name in PostgreSQL: give 1 to ${longest} bytes without NUL.`,
    );
  }
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text as SQL writes it. The E form reads the same whatever `standard_conforming_strings` is. */
export function quoteLiteral(text: string): string {
  return `E'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}

/** Dollar quotes that the names inside do not end. */
export function bodyQuote(name: string): string {
  let quote = "$body$";
  while (name.includes(quote)) quote = quote.replace("body", "body_");
  return quote;
}

/** Texts as one parameter of type `text[]`: they travel as they are, whatever the client knows about arrays. */
export function arrayLiteral(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, "\\$&")}"`).join(",")}}`;
}

/** PostgreSQL cuts longer names without a word. */
const longest = 63;

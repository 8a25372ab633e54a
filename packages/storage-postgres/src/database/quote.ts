/**
 * Quotes a name for SQL.
 *
 * @throws RangeError for a name that PostgreSQL would truncate or refuse
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

/** Quotes a text for SQL. The E form does not depend on `standard_conforming_strings`. */
export function quoteLiteral(text: string): string {
  return `E'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}

/** A dollar quote for a body that contains `name`. The name never ends it. */
export function bodyQuote(name: string): string {
  let quote = "$body$";
  while (name.includes(quote)) quote = quote.replace("body", "body_");
  return quote;
}

/** Texts as one parameter of type `text[]`, which needs no array support of the client. */
export function arrayLiteral(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, "\\$&")}"`).join(",")}}`;
}

/** PostgreSQL truncates longer names silently. */
const longest = 63;

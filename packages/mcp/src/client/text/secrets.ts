/**
 * Makes a function that takes values of secrets out of texts, so that a server that repeats one does not spread it. Values of fewer than
 * six characters stay: they would tear holes into any text.
 */
export function hiding(values: Iterable<string | undefined>): (text: string) => string {
  const secrets = [...new Set(values)].filter((value) => value !== undefined && value.length >= 6) as string[];
  // The longest first: one may hold another.
  secrets.sort((a, b) => b.length - a.length);
  return (text) => secrets.reduce((kept, secret) => kept.replaceAll(secret, "[hidden]"), text);
}

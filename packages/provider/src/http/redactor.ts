/**
 * Takes secrets out of text. A secret that holds white space, as one read from a file with its line break does, is
 * taken out piece by piece, because servers and libraries quote it in either form; and also as it stands in an address
 * or in JSON.
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const pieces = secrets
    .flatMap((secret) => [secret, ...secret.split(/\s+/)])
    .filter((piece) => piece.length >= shortestSecret)
    .flatMap(formsOf);
  const forms = [...new Set(pieces)].sort((a, b) => b.length - a.length);
  return (text) => forms.reduce((cleaned, form) => cleaned.replaceAll(form, "[redacted]"), text);
}

/** A server that quotes the address of the request quotes the query as it was encoded; JSON escapes quotes. */
function formsOf(secret: string): string[] {
  const inQuery = new URLSearchParams([["", secret]]).toString().slice(1);
  const inAddress = encodeURIComponent(secret.toWellFormed());
  const encoded = [inQuery, inAddress].flatMap((form) => [form, form.replaceAll(/%../g, (hex) => hex.toLowerCase())]);
  return [secret, ...encoded, JSON.stringify(secret).slice(1, -1)];
}

/** No key is shorter; header values such as `Bearer` or `1` are, and would garble every message. */
const shortestSecret = 8;

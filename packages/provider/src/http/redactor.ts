/**
 * Takes secrets out of text. A secret that holds white space, as one read from a file with its line break does, is
 * taken out piece by piece, because servers and libraries quote it in either form.
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const pieces = secrets
    .flatMap((secret) => [secret, ...secret.split(/\s+/)])
    .filter((piece) => piece.length >= shortestSecret)
    .sort((a, b) => b.length - a.length);
  return (text) => pieces.reduce((cleaned, piece) => cleaned.replaceAll(piece, "[redacted]"), text);
}

/** No key is shorter; header values such as `Bearer` or `1` are, and would garble every message. */
const shortestSecret = 8;

/**
 * Removes secrets from text, in every spelling in which servers and libraries quote them: unchanged, with some or all
 * characters escaped as in addresses, JSON or HTML, in base64 and in hexadecimal. The pieces of a secret that holds white
 * space, such as one read from a file with its line break, are removed too. If the text was cut off inside a secret, the
 * beginning of that secret is removed.
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const pieces = secrets
    .flatMap((secret) => [secret, ...secret.split(/\s+/)])
    .filter((piece) => piece.length >= shortestSecret)
    .map((piece) => piece.toWellFormed())
    .sort((a, b) => b.length - a.length);
  const distinct = [...new Set(pieces)];
  if (distinct.length === 0) return (text) => text;
  const pattern = new RegExp(distinct.flatMap(spellings).join("|"), "gi");
  return (text) => withoutBeginning(text.replace(pattern, replacement), distinct);
}

const replacement = "[redacted]";

/** No key is shorter. Header values such as `Bearer` or `1` are, and removing those would garble every message. */
const shortestSecret = 8;

/** Patterns, each of which matches the whole secret in one spelling. */
function spellings(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  const hex = Array.from(bytes, hexOf).join("");
  return [Array.from(secret, spellingsOfCharacter).join(""), hex, ...base64Of(bytes)];
}

/**
 * Matches one character, unchanged or escaped up to three times. Repetitions are bounded: otherwise a server could send a
 * text for which matching takes quadratic time.
 */
function spellingsOfCharacter(character: string): string {
  const inAddress = Array.from(new TextEncoder().encode(character), (byte) => `%(?:25){0,3}${hexOf(byte)}`).join("");
  const inJSON = Array.from({ length: character.length }, (_, index) => {
    return `\\\\{1,7}u${character.charCodeAt(index).toString(16).padStart(4, "0")}`;
  }).join("");
  const code = character.codePointAt(0) ?? 0;
  const inHTML = `&(?:amp;)?#(?:0{0,6}${code}|x0{0,6}${code.toString(16)});`;
  const forms = [literal(character), inAddress, inJSON, inHTML, ...(named.get(character) ?? [])];
  return `(?:${forms.join("|")})`;
}

const named: ReadonlyMap<string, readonly string[]> = new Map([
  [" ", ["\\+"]],
  ['"', ['\\\\{1,7}"', "&quot;"]],
  ["\\", ["\\\\{2}", "\\\\{4}"]],
  ["/", ["\\\\{1,7}/"]],
  ["&", ["&amp;"]],
  ["<", ["&lt;"]],
  [">", ["&gt;"]],
  ["'", ["\\\\{1,7}'", "&apos;"]],
  ["\n", ["\\\\{1,7}n"]],
  ["\r", ["\\\\{1,7}r"]],
  ["\t", ["\\\\{1,7}t"]],
]);

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

function hexOf(byte: number): string {
  return byte.toString(16).padStart(2, "0");
}

/**
 * A secret in base64 or base64url, by itself and inside a longer text: there its bytes may begin at any of the three
 * positions of a group, and the characters at its ends also encode parts of its neighbours.
 */
function base64Of(bytes: Uint8Array): string[] {
  return [0, 1, 2].map((offset) => {
    const text = btoa(String.fromCharCode(...new Uint8Array(offset), ...bytes));
    const own = text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
    return own.replaceAll("+", "[-+]").replaceAll("/", "[/_]");
  });
}

function withoutBeginning(text: string, secrets: readonly string[]): string {
  for (const secret of secrets) {
    for (let length = Math.min(secret.length - 1, text.length); length >= shortestSecret; length--) {
      if (text.endsWith(secret.slice(0, length))) return text.slice(0, -length) + replacement;
    }
  }
  return text;
}

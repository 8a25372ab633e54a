import { redactionMark } from "./redaction-mark.ts";

/**
 * Replaces private keys in PEM and OpenPGP armour as a whole, also one whose end was cut off, and the private lines of those
 * of PuTTY.
 */
export function redactPrivateKeys(text: string): string {
  return redactPutty(redactArmoured(text));
}

function redactArmoured(text: string): string {
  let redacted = "";
  let copied = 0;
  for (const { index, 0: opener } of text.matchAll(begin)) {
    if (index < copied) continue;
    const end = endOf(text, index + opener.length);
    if (end === undefined) continue;
    redacted += text.slice(copied, index) + redactionMark;
    copied = end;
  }
  return copied === 0 ? text : redacted + text.slice(copied);
}

const begin = /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/g;
const end = /-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/y;
/**
 * Of a key that was cut off these lines are what is left: headers, then the key. Line breaks may be escaped, as in JSON;
 * lines may be quoted or numbered, as where a file is shown.
 */
const body =
  /(?:(?:\\{1,4}[rn]|\s){1,4}[A-Z][A-Za-z-]{2,20}: [^\n\\]{1,100}){0,4}(?:(?:\\{1,4}[rn]|[\s>|]){1,12}(?:\d{1,6}(?:\\{1,4}t|[\t:|→ ]){1,4})?[A-Za-z0-9+/=]{16,128})+/y;

/** Where the key ends whose opener ends at `start`; undefined if there is none, as where a text only speaks of one. */
function endOf(text: string, start: number): number | undefined {
  const dashes = text.indexOf("-----", start);
  end.lastIndex = dashes;
  if (dashes >= 0 && end.test(text)) return end.lastIndex;
  body.lastIndex = start;
  return body.test(text) ? body.lastIndex : undefined;
}

function redactPutty(text: string): string {
  return text.replace(putty, (_, before: string) => before + redactionMark);
}

/** The lines that follow, all of the alphabet of base64: the next header ends them. */
const putty =
  /(\bPrivate-Lines: \d{1,4}(?:\\{1,4}[rn]|[\s>|]){1,12}(?:\d{1,6}(?:\\{1,4}t|[\t:|→ ]){1,4})?)[A-Za-z0-9+/]{4,128}={0,2}(?![\w+/=[-])(?:(?:\\{1,4}[rn]|[\s>|]){1,12}(?:\d{1,6}(?:\\{1,4}t|[\t:|→ ]){1,4})?[A-Za-z0-9+/]{4,128}={0,2}(?![\w+/=:[-]))*/g;

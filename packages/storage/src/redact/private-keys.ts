import { redactionMark } from "./redaction-mark.ts";

/**
 * Replaces whole private keys in PEM and OpenPGP armour, also a key whose end was cut off, and the private lines of
 * PuTTY keys.
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
 * The lines of a key that was cut off: headers, then the key. Line breaks may be escaped, as in JSON. Lines may be
 * quoted or numbered, as in the output of a tool that shows a file.
 */
const body =
  /(?:(?:\\{1,4}[rn]|\s){1,4}[A-Z][A-Za-z-]{2,20}: [^\n\\]{1,100}){0,4}(?:(?:\\{1,4}[rn]|[\s>|]){1,12}(?:\d{1,6}(?:\\{1,4}t|[\t:|→ ]){1,4})?[A-Za-z0-9+/=]{16,128})+/y;

/** The end of the key whose opening line ends at `start`; undefined if no key follows, as in a text about keys. */
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

/** The base64 lines of a PuTTY key. The next header ends them. */
const putty =
  /(\bPrivate-Lines: \d{1,4}(?:\\{1,4}[rn]|[\s>|]){1,12}(?:\d{1,6}(?:\\{1,4}t|[\t:|→ ]){1,4})?)[A-Za-z0-9+/]{4,128}={0,2}(?![\w+/=[-])(?:(?:\\{1,4}[rn]|[\s>|]){1,12}(?:\d{1,6}(?:\\{1,4}t|[\t:|→ ]){1,4})?[A-Za-z0-9+/]{4,128}={0,2}(?![\w+/=:[-]))*/g;

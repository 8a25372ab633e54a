import { stripVTControlCharacters } from "node:util";

/** Bytes that terminals take; xterm takes the fewest. */
export const mostCopied = 74_000;

/**
 * The bytes that put a text into the clipboard of the terminal, also over SSH (OSC 52); undefined for a text that is too long. Characters
 * that control a terminal, or the direction of a text, are left out: what is pasted should be what was read.
 */
export function clipboardBytes(text: string): string | undefined {
  const plain = stripVTControlCharacters(text).replace(/[^\P{Cc}\n\t]|\p{Bidi_Control}/gu, "");
  const bytes = Buffer.from(plain);
  return bytes.length > mostCopied ? undefined : `\u001b]52;c;${bytes.toString("base64")}\u0007`;
}

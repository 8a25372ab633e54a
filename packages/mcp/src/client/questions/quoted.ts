import { plainText } from "../text/plain-text.ts";

/** A text of a server in which each line begins with a mark, so that none can pose as words of ours. */
export function quoted(text: string, most: number): string {
  return plainText(text, most).text.replace(/^/gm, "> ");
}

/** Whether a screen shows all that a text is made of. */
export function isPlain(text: string): boolean {
  return text.isWellFormed() && plainText(text, text.length).hidden === 0;
}

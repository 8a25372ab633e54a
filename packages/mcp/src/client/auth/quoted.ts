import { oneLine } from "../text/plain-text.ts";

/** A text of a server for a message: on one line, without hidden characters, in quotation marks. */
export function quoted(text: string, most = 200): string {
  return `“${oneLine(text, most)}”`;
}

import { oneLine } from "./text.ts";

/** A word as a shell reads it. */
export function shellWord(text: string): string {
  return /^[\w.:/@%+-]+$/.test(text) ? text : `'${oneLine(text, 4000).replaceAll("'", "'\\''")}'`;
}

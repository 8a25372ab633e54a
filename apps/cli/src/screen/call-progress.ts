import type { Json } from "@cogency/protocol";

/** Characters of what a program printed that are kept. */
const mostPrinted = 4096;

/**
 * What can be shown of a call that runs, after another report of it: the end of what a program has printed, whose lines and control
 * sequences may come in pieces, else the address or the words that are asked for.
 */
export function progressAfter(update: Json, before: string): string {
  if (typeof update !== "object" || update === null || Array.isArray(update)) return before;
  const { text, url, query } = update;
  if (typeof text === "string") return (before + text).slice(-mostPrinted);
  return [url, query].find((value) => typeof value === "string") ?? before;
}

import type { Intent } from "../request/intent.ts";
import { codeSpan } from "./quote.ts";

/** `no files`, `1 file`, `2 files`, `3 entries`. */
export function counted(number: number, noun: string): string {
  if (number === 1) return `1 ${noun}`;
  return `${number === 0 ? "no" : number} ${noun.replace(/y$/, "ie")}s`;
}

export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const mostBullets = 50;
const longestBullet = 200;

/** A title and a list. `hidden` is the number of items that exist but are not in the list. */
export function bullets(title: string, items: readonly string[], hidden = 0): string {
  const shown = items.slice(0, mostBullets).map((item) => `- ${codeSpan(item.slice(0, longestBullet))}`);
  const rest = items.length - shown.length + hidden;
  return [title, "", ...shown, ...(rest > 0 ? [`- and ${rest} more`] : [])].join("\n");
}

const excerptLines = 40;
const excerptCharacters = 4_000;

/** The beginning of a long text, up to a number of lines and of UTF-16 code units. */
export function excerpt(text: string): { text: string; isWhole: boolean } {
  const beginning = text.split("\n").slice(0, excerptLines).join("\n").slice(0, excerptCharacters);
  const isWhole = beginning.length >= text.trimEnd().length;
  return { text: isWhole ? text : beginning, isWhole };
}

/** The subject of an intent, for a sentence. */
export function subject(intent: Intent): string {
  switch (intent.kind) {
    case "list":
      return codeSpan(intent.path);
    case "read":
    case "write":
      return codeSpan(intent.file);
    case "find":
      return codeSpan(intent.content ?? intent.pattern ?? "");
  }
}

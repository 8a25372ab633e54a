import { asWritten, lineEndsOf } from "../text/line-ends.ts";
import type { TextSearch } from "../text/text-search.ts";
import type { Replacement } from "./replacement.ts";

/** The new text, or the fact that it exceeds the limit. */
export type Replaced = { kind: "replaced"; text: string; count: number } | { kind: "too_large" };

/**
 * Replaces every match of a text.
 *
 * @param keepsLineEnds whether line ends of the replacement become those of the text
 */
export function replaceMatches(
  text: string,
  search: TextSearch,
  replacement: Replacement,
  mostCharacters: number,
  keepsLineEnds = true,
): Replaced {
  const steps = replacing(text, search, replacement, mostCharacters, keepsLineEnds);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Like `replaceMatches`, but pauses after each few thousand matches, so that other work can run between them. */
export function* replacing(
  text: string,
  search: TextSearch,
  replacement: Replacement,
  mostCharacters: number,
  keepsLineEnds = true,
): Generator<undefined, Replaced, undefined> {
  const adaptedAt = keepsLineEnds ? lineEndsOf(text) : () => asWritten;
  const next = search.in(text);
  const parts: string[] = [];
  let copied = 0;
  let length = 0;
  let count = 0;
  for (let place = next(0); place !== undefined; place = next(after(text, place.start, place.end))) {
    const part = text.slice(copied, place.start) + replacement(place, adaptedAt(place));
    parts.push(part);
    copied = place.end;
    length += part.length;
    count += 1;
    if (length > mostCharacters) return { kind: "too_large" };
    if (count % matchesAtOnce === 0) yield;
  }
  parts.push(text.slice(copied));
  if (length + text.length - copied > mostCharacters) return { kind: "too_large" };
  return { kind: "replaced", text: parts.join(""), count };
}

const matchesAtOnce = 5000;

/** Where the next match may begin. After an empty match it is one character further, so that the search ends. */
function after(text: string, start: number, end: number): number {
  if (end > start) return end;
  return end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1);
}

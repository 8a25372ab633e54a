import type { Json } from "@cogency/protocol";

/** Text of a server as a person and a model may see it: bounded, and nothing in it that a screen does not show. */
export interface PlainText {
  readonly text: string;
  /** Characters that were hidden, and are gone. */
  readonly hidden: number;
  readonly isCut: boolean;
}

/** @param most characters that are kept */
export function plainText(given: string, most: number): PlainText {
  // Text that is much too long is cut before it is searched.
  const bounded = given.length > most * 4 + 100 ? given.slice(0, most * 4 + 100) : given;
  // Most texts are this plain, and the search takes ten times as long.
  if (bounded.length <= most && plainest.test(bounded)) return { text: bounded, hidden: 0, isCut: false };
  let hidden = 0;
  const shown = bounded
    .toWellFormed()
    .replace(/\r\n?/g, "\n")
    .replace(unseen, (character) => {
      if (!ofEmoji.has(character)) hidden += 1;
      return "";
    });
  const isCut = shown.length > most || bounded.length < given.length;
  return { text: isCut ? `${shown.slice(0, most).toWellFormed()}…` : shown, hidden, isCut };
}

const plainest = /^[\x20-\x7e\n\t]*$/;

/** A text in one line, for a sentence. */
export function oneLine(given: string, most = 300): string {
  return plainText(given, most).text.replace(/\s+/g, " ").trim();
}

/**
 * JSON of a server in which no text, and no name, holds a character that a screen does not show.
 *
 * @param hide takes secrets out of a text, before it is searched
 */
export function plainJson(
  value: Json,
  hide = (text: string) => text,
): { readonly value: Json; readonly hidden: number } {
  let hidden = 0;
  const plain = (given: string) => {
    const text = hide(given);
    const shown = plainText(text, text.length + 1);
    hidden += shown.hidden;
    return shown.text;
  };
  const copy = (part: Json): Json => {
    if (typeof part === "string") return plain(part);
    if (typeof part !== "object" || part === null) return part;
    if (Array.isArray(part)) return part.map(copy);
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [plain(key), copy(inner)]));
  };
  return { value: copy(value), hidden };
}

/**
 * Control characters but line feeds and tabs, marks of direction, characters without width, tags, selectors of variants, blanks that look
 * like letters, and characters of private use.
 */
const unseen =
  /[^\P{Cc}\n\t]|\p{Bidi_Control}|\p{Variation_Selector}|\p{Co}|\p{Cn}|\p{Cf}|\u034f|\u115f|\u1160|\u17b4|\u17b5|\u2028|\u2029|\u3164|\uffa0|[\u{e0000}-\u{e0fff}]/gu;

/** What asks for the coloured form of an emoji, and joins two of them: it goes, and hides nothing. */
const ofEmoji: ReadonlySet<string> = new Set(["\ufe0f", "\u200d"]);

import { times } from "../gbnf/notation.ts";
import type { Rules } from "../gbnf/rules.ts";
import { formats } from "./format.ts";
import { countOf, type Keywords } from "./keywords.ts";
import { patternOf, type WriteSet } from "./pattern.ts";

/** The largest bound on characters that a grammar counts to. */
const mostCharacters = 1024;

/** How the characters of a string are written. */
export interface Writing {
  /** Matches any character. */
  readonly any: string;
  readonly set: WriteSet;
}

/**
 * The text of a string, without quotes; undefined if none fits. Of a pattern, a format and bounds of the length it keeps the
 * first that a grammar can write.
 */
export function textOf(schema: Keywords, rules: Rules, { any, set }: Writing): string | undefined {
  const text = ruledText(schema, { any, set });
  if (text !== undefined) return rules.share("text", text);
  const min = Math.min(countOf(schema.minLength, 0), mostCharacters);
  const counted = countOf(schema.maxLength, Number.POSITIVE_INFINITY);
  const max = counted > mostCharacters ? Number.POSITIVE_INFINITY : counted;
  return min > max ? undefined : times(any, min, max);
}

/** A text that a pattern or a format rules; undefined if the schema has none that a grammar can write. */
export function ruledText({ pattern, format }: Keywords, { any, set }: Writing): string | undefined {
  const byPattern = typeof pattern === "string" ? patternOf(pattern, set, any) : undefined;
  if (byPattern !== undefined) return byPattern;
  const known = typeof format === "string" && Object.hasOwn(formats, format) ? formats[format] : undefined;
  return known === undefined ? undefined : patternOf(known, set, any);
}

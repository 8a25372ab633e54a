import { times } from "../gbnf/notation.ts";
import type { Rules } from "../gbnf/rules.ts";
import { formatFitting, formats } from "./format.ts";
import { countOf, type Keywords } from "./keywords.ts";
import { patternOf, type Writing } from "./pattern.ts";

/** The largest bound on characters that a grammar counts to. */
const mostCharacters = 1024;

/**
 * The text of a string, without quotes; undefined if none fits. Of a pattern, a format and bounds of the length it keeps the
 * first that a grammar can write.
 */
export function textOf(schema: Keywords, rules: Rules, writing: Writing): string | undefined {
  const text = ruledText(schema, writing);
  if (text !== undefined) return rules.share("text", text);
  const min = Math.min(countOf(schema.minLength, 0), mostCharacters);
  const counted = countOf(schema.maxLength, Number.POSITIVE_INFINITY);
  const max = counted > mostCharacters ? Number.POSITIVE_INFINITY : counted;
  return min > max ? undefined : times(writing.any, min, max);
}

/** A text that a pattern or a format rules; undefined if the schema has none that a grammar can write. */
export function ruledText({ pattern, format }: Keywords, writing: Writing): string | undefined {
  const both = typeof pattern === "string" && typeof format === "string" ? formatFitting(format, pattern) : undefined;
  if (both !== undefined) return patternOf(both, writing);
  const byPattern = typeof pattern === "string" ? patternOf(pattern, writing) : undefined;
  if (byPattern !== undefined) return byPattern;
  const known = typeof format === "string" && Object.hasOwn(formats, format) ? formats[format] : undefined;
  return known === undefined ? undefined : patternOf(known, writing);
}

import { times } from "../gbnf/notation.ts";
import type { Rules } from "../gbnf/rules.ts";
import { countOf, type Keywords } from "./keywords.ts";
import type { Letters } from "./letters.ts";

/** The largest bound on characters that a grammar counts to. */
export const mostCharacters = 1024;

/** A string in quotes; undefined if none fits. */
export function stringOf(schema: Keywords, rules: Rules, letters: Letters): string | undefined {
  const min = Math.min(countOf(schema.minLength, 0), mostCharacters);
  const counted = countOf(schema.maxLength, Number.POSITIVE_INFINITY);
  const max = counted > mostCharacters ? Number.POSITIVE_INFINITY : counted;
  if (min > max) return undefined;
  return rules.share("string", `"\\"" ${times(letters.any, min, max)} "\\""`);
}

import { CONTROLS, choice, noneOf } from "../gbnf/notation.ts";
import type { Rules } from "../gbnf/rules.ts";
import { except, wordsOf } from "../gbnf/words.ts";
import { layout } from "./layout.ts";
import type { Letters } from "./letters.ts";
import { anyNumber } from "./number.ts";

/** How deep a value may be nested that no schema describes. */
const freeDepth = 5;

/** Any JSON value, at most `depth` containers deep. */
export function anyJson(rules: Rules, letters: Letters, depth = freeDepth): string {
  const string = `"\\"" ${letters.any}* "\\""`;
  const scalars = [string, anyNumber(rules), '"true"', '"false"', '"null"'];
  if (depth === 0) return rules.share("scalar", choice(scalars));
  const value = anyJson(rules, letters, depth - 1);
  const ways = [...scalars, freeObject(rules, letters, value), freeArray(rules, value)];
  return rules.share(`json-${depth}`, choice(ways));
}

/** An object with any keys. That no key is given twice is left to the parser. */
export function freeObject(rules: Rules, letters: Letters, value: string): string {
  const ws = layout(rules);
  const member = rules.share("member", `${freeKey(rules, letters)} ":" ${ws} ${value}`);
  return rules.share("object", `"{" ${ws} (${member} ("," ${ws} ${member})* ${ws})? "}"`);
}

function freeArray(rules: Rules, value: string): string {
  const ws = layout(rules);
  return rules.share("array", `"[" ${ws} (${value} ("," ${ws} ${value})* ${ws})? "]"`);
}

/** A key in quotes, without escapes. The parser refuses the key `__proto__`. */
function freeKey(rules: Rules, letters: Letters): string {
  return rules.share("key", unlike(["__proto__"], rules, letters));
}

/** A string in quotes, without escapes, that is none of the texts. */
export function unlike(texts: readonly string[], rules: Rules, letters: Letters): string {
  const special = letters.special;
  const rest = rules.share("plain", `${noneOf(special, CONTROLS)}*`);
  const spelling = { of: (character: string) => character, special };
  return `"\\"" ${except(wordsOf(texts.filter((text) => text !== "")), spelling, rest)} "\\""`;
}

import { EMPTY, times } from "../gbnf/notation.ts";
import type { Rules } from "../gbnf/rules.ts";
import { countOf, type Keywords, listOf } from "./keywords.ts";
import { layout } from "./layout.ts";

/** The largest bound on items that a grammar counts to. */
const mostItems = 64;

/** An array of items that `value` makes expressions of; undefined if no array fits. */
export function arrayOf(
  schema: Keywords,
  rules: Rules,
  value: (schema: unknown) => string | undefined,
): string | undefined {
  const ws = layout(rules);
  const { first, rest } = itemsOf(schema);
  const min = Math.min(countOf(schema.minItems, 0), mostItems);
  const counted = countOf(schema.maxItems, Number.POSITIVE_INFINITY);
  const most = counted > mostItems ? Number.POSITIVE_INFINITY : counted;
  const leading: string[] = [];
  for (const item of first.slice(0, most)) {
    const expression = value(item);
    if (expression === undefined) break;
    leading.push(expression);
  }
  const other = leading.length < first.length ? undefined : value(rest);
  const max = other === undefined ? Math.min(most, leading.length) : most;
  if (min > max) return undefined;
  const items = sequence(leading, other, min, max, `"," ${ws}`, rules);
  return rules.share("array", items === "" ? `"[" ${ws} "]"` : `"[" ${ws} ${items} "]"`);
}

/** The schemas of the first items one by one, and that of the others. */
function itemsOf({ prefixItems, items, additionalItems }: Keywords): { first: readonly unknown[]; rest: unknown } {
  // Before draft 2020-12, `items` could be a list.
  if (Array.isArray(items)) return { first: items, rest: additionalItems ?? true };
  return { first: listOf(prefixItems), rest: items ?? true };
}

/** From `min` to `max` items, with the white space after the last; each of `leading` stands in its place. */
function sequence(
  leading: readonly string[],
  other: string | undefined,
  min: number,
  max: number,
  separator: string,
  rules: Rules,
): string {
  if (max === 0) return "";
  const ws = layout(rules);
  const [first = other as string, ...following] = leading;
  let tail = other === undefined ? EMPTY : repeated(`${separator} ${other}`, leading.length, min, max);
  for (let i = following.length; i > 0; i--) {
    const more = `${separator} ${following[i - 1]}${tail === EMPTY ? "" : ` ${tail}`}`;
    tail = i < min ? more : `(${more})?`;
  }
  const items = `${first}${tail === EMPTY ? "" : ` ${tail}`} ${ws}`;
  return min === 0 ? `(${items})?` : items;
}

/** Further items, after those that stand in their places. */
function repeated(item: string, leading: number, min: number, max: number): string {
  const given = Math.max(1, leading);
  return times(item, Math.max(0, min - given), max - given);
}

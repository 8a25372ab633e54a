import { isKeywords, type Keywords, listOf } from "./keywords.ts";

/** One schema for what both admit, as far as their keywords can be joined; where they cannot, the first one's stays. */
export function merged(first: unknown, second: unknown): unknown {
  if (first === false || second === false) return false;
  if (!isKeywords(first)) return second;
  if (!isKeywords(second)) return first;
  const result: { [keyword: string]: unknown } = { ...first };
  for (const [keyword, value] of Object.entries(second)) {
    const known = first[keyword];
    const join = joins[keyword];
    if (known === undefined) result[keyword] = value;
    else if (join) result[keyword] = join(known, value);
  }
  const alternatives = ["anyOf", "oneOf", "$ref"].filter((keyword) => keyword in first && keyword in second);
  const further = alternatives.map((keyword) => ({ [keyword]: second[keyword] }));
  if (further.length > 0) result.allOf = [...listOf(result.allOf), ...further];
  restrictProperties(result, first, second);
  return result;
}

/** Where a side admits no other properties, those of the other side that it does not list are not admitted. */
function restrictProperties(result: { [keyword: string]: unknown }, first: Keywords, second: Keywords): void {
  if (!isKeywords(result.properties)) return;
  const closed = [first, second].filter(({ additionalProperties }) => additionalProperties === false);
  const isListed = (name: string) => closed.every(({ properties }) => isKeywords(properties) && name in properties);
  result.properties = Object.fromEntries(Object.entries(result.properties).filter(([name]) => isListed(name)));
  if (closed.length > 0) result.additionalProperties = false;
}

type Join = (first: unknown, second: unknown) => unknown;

const joins: { [keyword: string]: Join } = {
  type: (first, second) => {
    const others = [second].flat();
    const isInteger = (type: unknown) => type === "integer" && others.includes("number");
    const narrowed = others.filter((type) => type === "integer" && [first].flat().includes("number"));
    return [...[first].flat().filter((type) => others.includes(type) || isInteger(type)), ...narrowed];
  },
  enum: (first, second) => listOf(first).filter((value) => listOf(second).some((other) => isSame(value, other))),
  properties: (first, second) => {
    const joined: { [name: string]: unknown } = { ...(first as Keywords) };
    for (const [name, schema] of Object.entries(second as Keywords)) {
      joined[name] = Object.hasOwn(joined, name) ? merged(joined[name], schema) : schema;
    }
    return joined;
  },
  required: (first, second) => [...new Set([...listOf(first), ...listOf(second)])],
  items: merged,
  allOf: (first, second) => [...listOf(first), ...listOf(second)],
  minimum: larger,
  exclusiveMinimum: larger,
  minLength: larger,
  minItems: larger,
  minProperties: larger,
  maximum: smaller,
  exclusiveMaximum: smaller,
  maxLength: smaller,
  maxItems: smaller,
  maxProperties: smaller,
};

function larger(first: unknown, second: unknown): number {
  return Math.max(Number(first), Number(second));
}

function smaller(first: unknown, second: unknown): number {
  return Math.min(Number(first), Number(second));
}

function isSame(first: unknown, second: unknown): boolean {
  return JSON.stringify(first) === JSON.stringify(second);
}

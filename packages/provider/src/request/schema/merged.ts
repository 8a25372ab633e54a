import type { JsonSchema } from "@cogency/protocol";
import { sentences } from "./keywords.ts";
import { isSchema, listOf } from "./parts.ts";

/** One schema that demands what both demand; undefined if their keywords cannot say it. */
export function merged(one: JsonSchema, other: JsonSchema): JsonSchema | undefined {
  const joined: Record<string, unknown> = { ...one };
  for (const [keyword, value] of Object.entries(other)) {
    const own = joined[keyword];
    if (own === undefined || isSame(own, value)) joined[keyword] = value;
    else if (keyword === "required") joined[keyword] = [...new Set([...listOf(own), ...listOf(value)])];
    else if (keyword === "description") joined[keyword] = sentences(own, String(value));
    else if (keyword === "properties" && isSchema(own) && isSchema(value) && agree(own, value)) {
      joined[keyword] = { ...own, ...value };
    } else if (keyword !== "title" && !keyword.startsWith("$")) return undefined;
  }
  return isClosedAgainst(one, other) || isClosedAgainst(other, one) ? undefined : joined;
}

/** Whether a closed object refuses keys that the other one has. */
function isClosedAgainst({ additionalProperties, properties }: JsonSchema, other: JsonSchema): boolean {
  if (additionalProperties !== false || !isSchema(other.properties)) return false;
  const own = isSchema(properties) ? properties : {};
  return Object.keys(other.properties).some((key) => !Object.hasOwn(own, key));
}

function agree(one: JsonSchema, other: JsonSchema): boolean {
  return Object.keys(other).every((key) => !Object.hasOwn(one, key) || isSame(one[key], other[key]));
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

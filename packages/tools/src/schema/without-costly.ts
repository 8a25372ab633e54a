import type { Json, JsonObject } from "@cogency/protocol";

/**
 * A schema without regular expressions and `uniqueItems`, which could make checking a value take for ever. What they demand is not checked,
 * and names that only they allow are allowed.
 */
export function withoutCostly(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withoutCostly);
  if (typeof schema !== "object" || schema === null) return schema;
  const { patternProperties, ...others } = schema as JsonObject;
  const left = Object.entries(others).filter(
    ([key, value]) => !isCostly(key, value) && !(patternProperties && closing.has(key)),
  );
  return Object.fromEntries(left.map(([key, value]) => [key, withoutCostly(value)]));
}

/** A property may have the name of a keyword: its value is a schema. */
function isCostly(key: string, value: Json): boolean {
  return (key === "pattern" && typeof value === "string") || (key === "uniqueItems" && typeof value === "boolean");
}

const closing = new Set(["additionalProperties", "unevaluatedProperties", "propertyNames"]);

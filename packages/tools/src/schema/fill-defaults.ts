import type { Json, JsonObject, JsonSchema } from "@cogency/protocol";
import { certainParts, isSchema, itemSchemas, propertySchemas } from "./schema-parts.ts";

/**
 * A copy of the value in which each absent property has the `default` of its schema, at any depth, also inside filled-in
 * values. Present properties are not changed. Alternatives (`anyOf`, `oneOf`, `if`) fill in nothing, because it is not known
 * yet which of them holds.
 *
 * @throws RangeError if the defaults never end
 */
export function fillDefaults(value: Json, schema: JsonSchema, root: JsonSchema): Json {
  return fill(value, [schema], 0);

  function fill(value: Json, schemas: readonly unknown[], depth: number): Json {
    if (value === null || typeof value !== "object" || schemas.length === 0) return value;
    const parts = certainParts(schemas, root);
    if (Array.isArray(value)) return value.map((item, index) => fill(item, itemSchemas(parts, index), depth));
    return fillObject(value, parts, depth);
  }

  function fillObject(object: JsonObject, parts: readonly JsonSchema[], depth: number): JsonObject {
    const members = Object.entries(object).map(([key, inner]): [string, Json] => [
      key,
      fill(inner, propertySchemas(parts, key), depth),
    ]);
    const missing = new Set(parts.flatMap(({ properties }) => (isSchema(properties) ? Object.keys(properties) : [])));
    for (const key of missing) {
      if (Object.hasOwn(object, key)) continue;
      const schemas = propertySchemas(parts, key);
      const given = certainParts(schemas, root).find(hasDefault);
      if (!given) continue;
      if (depth >= deepest) throw new RangeError("the defaults of the schema never end");
      members.push([key, fill(structuredClone(given.default), schemas, depth + 1)]);
    }
    // `fromEntries` defines each key, so that a key `__proto__` stays plain data.
    return Object.fromEntries(members);
  }
}

export function hasDefault(schema: JsonSchema): schema is JsonSchema & { default: Json } {
  return Object.hasOwn(schema, "default") && schema.default !== undefined;
}

/** Levels of defaults within defaults. */
const deepest = 32;

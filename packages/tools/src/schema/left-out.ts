import type { Json, JsonSchema } from "@cogency/protocol";
import { admittedTypes, partsOf, type Schemas } from "./admitted-types.ts";
import { isSchema, itemSchemas, listOf, propertySchemas } from "./schema-parts.ts";

/**
 * A copy of the value without the members that are null where the schema declares the member, does not require it and does not admit
 * null there, at any depth: models write null for what they leave out, and some servers make them. The value itself if there are none.
 * The items of an array stay.
 */
export function withoutNulls(value: Json, schema: JsonSchema): Json {
  return hasNull(value) ? without(value, { certain: [schema], all: [schema] }) : value;

  function without(value: Json, schemas: Schemas<unknown>): Json {
    if (value === null || typeof value !== "object") return value;
    const { certain, all } = partsOf(schemas, schema);
    if (Array.isArray(value)) {
      const items = value.map((item, index) =>
        without(item, { certain: itemSchemas(certain, index), all: itemSchemas(all, index) }),
      );
      return items.every((item, index) => item === value[index]) ? value : items;
    }
    const required = new Set(certain.flatMap((part) => listOf(part.required)));
    const members = Object.entries(value);
    const kept = members.flatMap(([key, inner]): [string, Json][] => {
      const declared = { certain: propertySchemas(certain, key), all: propertySchemas(all, key) };
      const isLeftOut =
        inner === null &&
        !required.has(key) &&
        all.some(({ properties }) => isSchema(properties) && Object.hasOwn(properties, key)) &&
        !admittedTypes(declared, schema).has("null");
      return isLeftOut ? [] : [[key, without(inner, declared)]];
    });
    const isSame = kept.length === members.length && kept.every(([key, inner]) => inner === value[key]);
    // `fromEntries` defines each key, so that a key `__proto__` stays plain data.
    return isSame ? value : Object.fromEntries(kept);
  }
}

/** Most values have none, so that their schema need not be read. */
function hasNull(value: Json): boolean {
  if (value === null || typeof value !== "object") return value === null;
  return Object.values(value).some(hasNull);
}

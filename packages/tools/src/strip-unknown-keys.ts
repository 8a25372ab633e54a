import type { Json, JsonObject, JsonSchema } from "@cogency/protocol";
import { isSchema, itemSchemas, namedKeys, propertySchemas, resolveReference, schemaParts } from "./schema-parts.ts";

/**
 * A copy of the value without the keys that its schema neither declares nor names otherwise, at any depth.
 *
 * An object is left whole where its schema declares no property at all, where `additionalProperties` (or
 * `unevaluatedProperties`) admits more, where a `$ref` is more than a path in the schema, and, with `strict: "keep"`, where `additionalProperties` is false: there the
 * schema's own library reports the key.
 */
export function stripUnknownKeys(args: JsonObject, schema: JsonSchema, strict: "strip" | "keep"): JsonObject {
  return stripObject(args, schemaParts([schema], schema));

  function strip(value: Json, schemas: readonly unknown[]): Json {
    if (value === null || typeof value !== "object") return value;
    const parts = schemaParts(schemas, schema);
    return Array.isArray(value)
      ? value.map((item, index) => strip(item, itemSchemas(parts, index)))
      : stripObject(value, parts);
  }

  function stripObject(object: JsonObject, parts: readonly JsonSchema[]): JsonObject {
    const isOpen =
      parts.some((part) => admitsMore(part) || refersElsewhere(part)) ||
      !parts.some((part) => isSchema(part.properties) || isClosed(part));
    const kept = strict === "keep" && parts.some(isClosed);
    const named = namedKeys(parts);
    return Object.fromEntries(
      Object.entries(object).flatMap(([key, value]) => {
        const schemas = propertySchemas(parts, key);
        return schemas.length > 0 || isOpen || kept || named.has(key) ? [[key, strip(value, schemas)]] : [];
      }),
    );
  }

  /** By `$anchor` or `$id`: what is declared there is left to the schema's own check. */
  function refersElsewhere({ $ref }: JsonSchema): boolean {
    return $ref !== undefined && resolveReference($ref, schema) === undefined;
  }
}

function admitsMore(part: JsonSchema): boolean {
  return [part.additionalProperties, part.unevaluatedProperties].some((more) => more === true || isSchema(more));
}

function isClosed(part: JsonSchema): boolean {
  return part.additionalProperties === false || part.unevaluatedProperties === false;
}

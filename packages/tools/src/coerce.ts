import type { Json, JsonObject, JsonSchema } from "@cogency/protocol";
import { hostileIssue } from "./hostile-arguments.ts";
import { isSchema, itemSchemas, listOf, propertySchemas, resolveReference, schemaParts } from "./schema-parts.ts";

/**
 * A copy of the arguments in which strings stand for what they spell, where the schema demands it, at any depth.
 * A string stays a string wherever the schema admits one, and wherever it spells nothing the schema asks for
 * (contracts.md, `@cogency/tools`).
 *
 * - `"json"`: a string that holds a JSON array or object
 * - `"lexical"`: also a number, an integer, `true`, `false` and `null`
 */
export function coerce(args: JsonObject, schema: JsonSchema, mode: "json" | "lexical"): JsonObject {
  return coerceObject(args, schemaParts([schema], schema));

  function coerceValue(value: Json, schemas: readonly unknown[]): Json {
    const meant = typeof value === "string" ? spelled(value, admittedTypes(schemas, schema), mode) : value;
    if (meant === null || typeof meant !== "object") return meant;
    const parts = schemaParts(schemas, schema);
    return Array.isArray(meant)
      ? meant.map((item, index) => coerceValue(item, itemSchemas(parts, index)))
      : coerceObject(meant, parts);
  }

  function coerceObject(object: JsonObject, parts: readonly JsonSchema[]): JsonObject {
    return Object.fromEntries(
      Object.entries(object).map(([key, value]) => [key, coerceValue(value, propertySchemas(parts, key))]),
    );
  }
}

type Type = "string" | "number" | "integer" | "boolean" | "null" | "array" | "object";

const everyType: ReadonlySet<Type> = new Set(["string", "number", "integer", "boolean", "null", "array", "object"]);

/** The types that at least one of the schemas admits; all of them where nothing is declared. */
function admittedTypes(schemas: readonly unknown[], root: JsonSchema): ReadonlySet<Type> {
  return schemas.length === 0 ? everyType : union(schemas.map((schema) => typesOf(schema, root, new Set())));
}

function typesOf(schema: unknown, root: JsonSchema, seen: ReadonlySet<JsonSchema>): ReadonlySet<Type> {
  if (!isSchema(schema) || seen.has(schema)) return everyType;
  const visited = new Set(seen).add(schema);
  const types = (inner: unknown) => typesOf(inner, root, visited);
  const limits = listOf(schema.allOf).map(types);
  if (schema.type !== undefined) limits.push(new Set([schema.type].flat() as Type[]));
  if (schema.const !== undefined) limits.push(new Set([typeOf(schema.const)]));
  if (Array.isArray(schema.enum)) limits.push(new Set(schema.enum.map(typeOf)));
  if (schema.$ref !== undefined) limits.push(types(resolveReference(schema.$ref, root)));
  for (const choice of [schema.anyOf, schema.oneOf]) if (Array.isArray(choice)) limits.push(union(choice.map(types)));
  return limits.reduce(intersection, everyType);
}

function typeOf(value: unknown): Type {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : (typeof value as Type);
}

function union(sets: readonly ReadonlySet<Type>[]): ReadonlySet<Type> {
  return new Set(sets.flatMap((set) => [...set]));
}

/** Every integer is a number, so that `number` and `integer` have `integer` in common. */
function intersection(one: ReadonlySet<Type>, other: ReadonlySet<Type>): ReadonlySet<Type> {
  const admits = (set: ReadonlySet<Type>, type: Type) => set.has(type) || (type === "integer" && set.has("number"));
  return new Set([...everyType].filter((type) => admits(one, type) && admits(other, type)));
}

/** What the text spells, if that is of an admitted type; else the text itself. */
function spelled(text: string, types: ReadonlySet<Type>, mode: "json" | "lexical"): Json {
  if (types.has("string")) return text;
  const word = text.trim();
  if (types.has("array") && word.startsWith("[")) return parsedContainer(word) ?? text;
  if (types.has("object") && word.startsWith("{")) return parsedContainer(word) ?? text;
  if (mode === "json") return text;
  if (types.has("boolean") && (word === "true" || word === "false")) return word === "true";
  if (types.has("null") && word === "null") return null;
  return parsedNumber(word, types) ?? text;
}

/** The array or object that the text holds, unless reading it would lose or smuggle in something. */
function parsedContainer(text: string): Json[] | JsonObject | undefined {
  try {
    const container = JSON.parse(text, (_, value) => {
      if (typeof value === "number" && isLossy(value)) throw new RangeError("not exact");
      return value;
    });
    return hostileIssue(container) === undefined ? container : undefined;
  } catch {
    return undefined;
  }
}

function parsedNumber(word: string, types: ReadonlySet<Type>): number | undefined {
  if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(word)) return undefined;
  const value = Number(word);
  if (isLossy(value)) return undefined;
  return types.has("number") || (types.has("integer") && Number.isInteger(value)) ? value : undefined;
}

/** Beyond the safe integers neighbours fall together, and an identifier would become another one. */
function isLossy(value: number): boolean {
  return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
}

import type { Json, JsonObject, JsonSchema } from "@cogency/protocol";
import { hostileIssue } from "./hostile-arguments.ts";
import {
  certainParts,
  isSchema,
  itemSchemas,
  listOf,
  propertySchemas,
  resolveReference,
  schemaParts,
} from "./schema-parts.ts";

/**
 * A copy of the arguments in which strings are read as values of another type, at any depth. A string is read only if the
 * schema does not admit a string there, and if it spells a value of an admitted type.
 *
 * - `"json"`: a string that holds a JSON array or object
 * - `"lexical"`: also a number, an integer, `true`, `false` and `null`
 *
 * @param changed called whenever a string was read as another value
 */
export function coerce(
  args: JsonObject,
  schema: JsonSchema,
  mode: "json" | "lexical",
  changed?: () => void,
): JsonObject {
  if (!Object.values(args).some(mayStandForMore)) return { ...args };
  return coerceObject(args, partsOf({ certain: [schema], all: [schema] }));

  /** Whether a value may need coercion. Most arguments do not, so that their schema need not be read. */
  function mayStandForMore(value: Json): boolean {
    if (typeof value === "string") return mode === "lexical" || /^\s*[[{]/.test(value);
    return typeof value === "object" && value !== null;
  }

  function coerceValue(value: Json, schemas: Schemas<unknown>): Json {
    const meant = typeof value === "string" ? spelled(value, admittedTypes(schemas, schema), mode) : value;
    if (meant !== value) changed?.();
    if (meant === null || typeof meant !== "object") return meant;
    const { certain, all } = partsOf(schemas);
    return Array.isArray(meant)
      ? meant.map((item, index) =>
          coerceValue(item, { certain: itemSchemas(certain, index), all: itemSchemas(all, index) }),
        )
      : coerceObject(meant, { certain, all });
  }

  function coerceObject(object: JsonObject, { certain, all }: Schemas<JsonSchema>): JsonObject {
    return Object.fromEntries(
      Object.entries(object).map(([key, value]) => [
        key,
        mayStandForMore(value)
          ? coerceValue(value, { certain: propertySchemas(certain, key), all: propertySchemas(all, key) })
          : value,
      ]),
    );
  }

  function partsOf({ certain, all }: Schemas<unknown>): Schemas<JsonSchema> {
    return { certain: certainParts(certain, schema), all: schemaParts(all, schema) };
  }
}

/** The schemas that apply to one part of the value. */
interface Schemas<T> {
  /** Schemas that the value must satisfy in any case. */
  certain: readonly T[];
  /** These, and schemas that are one of several alternatives. */
  all: readonly T[];
}

type Type = "string" | "number" | "integer" | "boolean" | "null" | "array" | "object";

const everyType: ReadonlySet<Type> = new Set(["string", "number", "integer", "boolean", "null", "array", "object"]);

/** The types that every certain schema admits, or else those that an alternative admits; all types if there are no schemas. */
function admittedTypes({ certain, all }: Schemas<unknown>, root: JsonSchema): ReadonlySet<Type> {
  const types = (schema: unknown) => typesOf(schema, root, new Set());
  if (certain.length > 0) return certain.map(types).reduce(intersection, everyType);
  return all.length > 0 ? union(all.map(types)) : everyType;
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

/** The types that both sets admit. An integer is a number: `number` and `integer` have `integer` in common. */
function intersection(one: ReadonlySet<Type>, other: ReadonlySet<Type>): ReadonlySet<Type> {
  const admits = (set: ReadonlySet<Type>, type: Type) => set.has(type) || (type === "integer" && set.has("number"));
  return new Set([...everyType].filter((type) => admits(one, type) && admits(other, type)));
}

/** The value that the text spells if its type is admitted, else the text itself. */
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

/** The array or object that the text spells; undefined if parsing would lose data or give a hostile value. */
function parsedContainer(text: string): Json[] | JsonObject | undefined {
  try {
    let members = 0;
    const container = JSON.parse(text, function (this: unknown, _, value) {
      if (typeof value === "number" && isLossy(value)) throw new RangeError("not exact");
      if (!Array.isArray(this)) members += 1;
      return value;
    });
    // Fewer members than keys: a key was repeated. `JSON.parse` counts the whole value as one more member.
    if (members - 1 < writtenKeys(text)) return undefined;
    return hostileIssue(container) === undefined ? container : undefined;
  } catch {
    return undefined;
  }
}

/** The number of keys in a valid JSON text: of the strings before a colon. */
function writtenKeys(json: string): number {
  let keys = 0;
  for (let open = json.indexOf('"'); open >= 0; ) {
    let close = open + 1;
    while (json.charAt(close) !== '"') close += json.charAt(close) === "\\" ? 2 : 1;
    let next = close + 1;
    while (/\s/.test(json.charAt(next))) next++;
    if (json.charAt(next) === ":") keys++;
    open = json.indexOf('"', close + 1);
  }
  return keys;
}

function parsedNumber(word: string, types: ReadonlySet<Type>): number | undefined {
  if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(word)) return undefined;
  const value = Number(word);
  if (isLossy(value)) return undefined;
  return types.has("number") || (types.has("integer") && Number.isInteger(value)) ? value : undefined;
}

/** Whether a number is not exact: beyond the safe integers an identifier would become another one. */
function isLossy(value: number): boolean {
  return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
}

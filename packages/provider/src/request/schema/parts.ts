import type { JsonSchema } from "@cogency/protocol";

/** Follows a reference inside the schema, such as `#/$defs/item`; undefined if it leads nowhere or elsewhere. */
export function resolve(reference: unknown, root: JsonSchema): unknown {
  if (reference === "#") return root;
  if (typeof reference !== "string" || !reference.startsWith("#/")) return undefined;
  let target: unknown = root;
  for (const token of reference.slice(2).split("/")) {
    const key = unescaped(token);
    if (typeof target !== "object" || target === null || !Object.hasOwn(target, key)) return undefined;
    target = (target as Record<string, unknown>)[key];
  }
  return target;
}

/** A token of a JSON pointer in a fragment (RFC 6901). */
function unescaped(token: string): string {
  const text = token.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The schemas that may apply to one value: the given ones, and those that they reach by `$ref`, `allOf`, `anyOf`, `oneOf`. */
export function reached(schemas: readonly unknown[], root: JsonSchema): readonly JsonSchema[] {
  const parts = new Set(schemas.filter(isSchema));
  // A set may grow while it is iterated, and a circle of references adds nothing.
  for (const { $ref, allOf, anyOf, oneOf } of parts) {
    for (const part of [resolve($ref, root), ...[allOf, anyOf, oneOf].flatMap(listOf)]) {
      if (isSchema(part)) parts.add(part);
    }
  }
  return [...parts];
}

/** Whether null fits the schema, as far as its types and values say. */
export function admitsNull(schema: unknown, root: JsonSchema, seen: ReadonlySet<unknown> = new Set()): boolean {
  if (schema === true) return true;
  if (!isSchema(schema) || seen.has(schema)) return false;
  const inner = (other: unknown) => admitsNull(other, root, new Set(seen).add(schema));
  const { type, enum: values, const: value, nullable, $ref, allOf, anyOf, oneOf } = schema;
  if (nullable === true) return true;
  if (type !== undefined && ![type].flat().includes("null")) return false;
  if (Array.isArray(values) && !values.includes(null)) return false;
  if (value !== undefined && value !== null) return false;
  if ($ref !== undefined && !inner(resolve($ref, root))) return false;
  return listOf(allOf).every(inner) && [anyOf, oneOf].every((choice) => !Array.isArray(choice) || choice.some(inner));
}

/**
 * The one key of the object in which a value is sent whose schema demands no object at its root: servers take only objects.
 * Undefined for a schema that demands one.
 */
export function wrapperOf(schema: JsonSchema): string | undefined {
  if (isObjectSchema(schema, schema)) return undefined;
  const keys = new Set(
    reached([schema], schema).flatMap(({ properties }) => (isSchema(properties) ? Object.keys(properties) : [])),
  );
  let key = "answer";
  while (keys.has(key)) key += "_";
  return key;
}

function isObjectSchema(schema: JsonSchema, root: JsonSchema, seen: ReadonlySet<unknown> = new Set()): boolean {
  const { $ref, type, anyOf, oneOf, nullable, properties } = schema;
  if (nullable === true) return false;
  const target = resolve($ref, root);
  if (isSchema(target)) return !seen.has(target) && isObjectSchema(target, root, new Set(seen).add(target));
  if (anyOf !== undefined || oneOf !== undefined) return type === "object" && isSchema(properties);
  if (type === undefined && Array.isArray(schema.allOf)) {
    return schema.allOf.length > 0 && schema.allOf.every((part) => isSchema(part) && isObjectSchema(part, root, seen));
  }
  return type === "object" || (type === undefined && isSchema(properties));
}

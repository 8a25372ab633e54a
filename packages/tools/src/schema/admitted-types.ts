import type { JsonSchema } from "@cogency/protocol";
import { certainParts, isSchema, listOf, resolveReference, schemaParts } from "./schema-parts.ts";

/** The schemas that apply to one part of the value. */
export interface Schemas<T> {
  /** Schemas that the value must satisfy in any case. */
  certain: readonly T[];
  /** These, and schemas that are one of several alternatives. */
  all: readonly T[];
}

/** The schemas that these reach for the same part of the value. */
export function partsOf({ certain, all }: Schemas<unknown>, root: JsonSchema): Schemas<JsonSchema> {
  return { certain: certainParts(certain, root), all: schemaParts(all, root) };
}

export type AdmittedType = "string" | "number" | "integer" | "boolean" | "null" | "array" | "object";

const everyType: ReadonlySet<AdmittedType> = new Set([
  "string",
  "number",
  "integer",
  "boolean",
  "null",
  "array",
  "object",
]);

/** The types that every certain schema admits, or else those that an alternative admits; all types if there are no schemas. */
export function admittedTypes({ certain, all }: Schemas<unknown>, root: JsonSchema): ReadonlySet<AdmittedType> {
  const types = (schema: unknown) => typesOf(schema, root, new Set());
  if (certain.length > 0) return certain.map(types).reduce(intersection, everyType);
  return all.length > 0 ? union(all.map(types)) : everyType;
}

function typesOf(schema: unknown, root: JsonSchema, seen: ReadonlySet<JsonSchema>): ReadonlySet<AdmittedType> {
  if (!isSchema(schema) || seen.has(schema)) return everyType;
  const visited = new Set(seen).add(schema);
  const types = (inner: unknown) => typesOf(inner, root, visited);
  const limits = listOf(schema.allOf).map(types);
  if (schema.type !== undefined) limits.push(new Set([schema.type].flat() as AdmittedType[]));
  if (schema.const !== undefined) limits.push(new Set([typeOf(schema.const)]));
  if (Array.isArray(schema.enum)) limits.push(new Set(schema.enum.map(typeOf)));
  if (schema.$ref !== undefined) limits.push(types(resolveReference(schema.$ref, root)));
  for (const choice of [schema.anyOf, schema.oneOf]) if (Array.isArray(choice)) limits.push(union(choice.map(types)));
  return limits.reduce(intersection, everyType);
}

function typeOf(value: unknown): AdmittedType {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : (typeof value as AdmittedType);
}

function union(sets: readonly ReadonlySet<AdmittedType>[]): ReadonlySet<AdmittedType> {
  return new Set(sets.flatMap((set) => [...set]));
}

/** The types that both sets admit. An integer is a number: `number` and `integer` have `integer` in common. */
function intersection(one: ReadonlySet<AdmittedType>, other: ReadonlySet<AdmittedType>): ReadonlySet<AdmittedType> {
  const admits = (set: ReadonlySet<AdmittedType>, type: AdmittedType) =>
    set.has(type) || (type === "integer" && set.has("number"));
  return new Set([...everyType].filter((type) => admits(one, type) && admits(other, type)));
}

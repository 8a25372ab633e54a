import type { JsonSchema } from "@cogency/protocol";
import { isSchema, listOf, resolve } from "./parts.ts";

/** The schema with an object at its root: of all keys of its alternatives, if it has some. */
export function flattened(root: JsonSchema): JsonSchema {
  return asObject(root, root, new Set());
}

function asObject(schema: JsonSchema, root: JsonSchema, seen: ReadonlySet<unknown>): JsonSchema {
  const { anyOf, oneOf, $ref, enum: _, const: __, not: ___, ...own } = schema;
  const visited = new Set(seen).add(schema);
  const target = resolve($ref, root);
  if (isSchema(target) && !visited.has(target)) return { ...own, ...asObject(target, root, visited) };
  const branches = listOf(anyOf ?? oneOf)
    .filter(isSchema)
    .filter((branch) => !visited.has(branch))
    .map((branch) => asObject(branch, root, visited));
  const keys = new Set(branches.flatMap(({ properties }) => (isSchema(properties) ? Object.keys(properties) : [])));
  const properties = Object.fromEntries([...keys].map((key) => [key, anyOfKey(branches, key)]));
  const required = [...keys].filter((key) => branches.every((branch) => listOf(branch.required).includes(key)));
  // Where one alternative takes any key, the whole does.
  const isOpen = branches.some((branch) => branch.additionalProperties !== false);
  return {
    ...own,
    type: "object",
    properties: { ...properties, ...(isSchema(own.properties) ? own.properties : {}) },
    ...(branches.length > 0 && { required: [...new Set([...listOf(own.required), ...required])] }),
    ...(branches.length > 0 && !isOpen && own.properties === undefined && { additionalProperties: false }),
  };
}

function anyOfKey(branches: readonly JsonSchema[], key: string): unknown {
  const schemas = branches.flatMap(({ properties }) =>
    isSchema(properties) && Object.hasOwn(properties, key) ? [properties[key]] : [],
  );
  const distinct = new Map(schemas.map((schema) => [JSON.stringify(schema), schema]));
  const [only] = distinct.values();
  return distinct.size === 1 ? only : { anyOf: [...distinct.values()] };
}

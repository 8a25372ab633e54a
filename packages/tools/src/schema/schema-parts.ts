import type { JsonSchema } from "@cogency/protocol";

/**
 * All schemas that apply to one part of a value: the given ones, and those that they reach for the same part through local `$ref`, `allOf`, `anyOf`, `oneOf`, `if`/`then`/`else`, `dependentSchemas` and `dependencies`. Each appears once.
 */
export function schemaParts(schemas: Iterable<unknown>, root: JsonSchema): readonly JsonSchema[] {
  return reached(schemas, (part) => [...demanded(part, root), ...alternatives(part)]);
}

/** The schemas of `schemaParts` that hold for any value: the given ones, and those reached through `$ref` and `allOf`. */
export function certainParts(schemas: Iterable<unknown>, root: JsonSchema): readonly JsonSchema[] {
  return reached(schemas, (part) => demanded(part, root));
}

/** The schemas of a property: by name and by pattern, else as an additional one; empty if no part declares it. */
export function propertySchemas(parts: readonly JsonSchema[], key: string): unknown[] {
  return parts.flatMap((part) => {
    const declared = [...ownProperty(part.properties, key), ...matchingPatterns(part, key)];
    return declared.length === 0 && isSchema(part.additionalProperties) ? [part.additionalProperties] : declared;
  });
}

/** Keys that the parts name but may not declare: required keys, and keys on which others depend. */
export function namedKeys(parts: readonly JsonSchema[]): ReadonlySet<unknown> {
  return new Set(
    parts.flatMap(({ required, dependentRequired, dependentSchemas, dependencies }) => [
      ...listOf(required),
      ...[dependentRequired, dependentSchemas, dependencies]
        .filter(isSchema)
        .flatMap((dependent) => [...Object.keys(dependent), ...Object.values(dependent).flatMap(listOf)]),
    ]),
  );
}

/** The schemas of an item of an array; empty if no part declares it. */
export function itemSchemas(parts: readonly JsonSchema[], index: number): unknown[] {
  return parts.flatMap((part) => {
    const positional = Array.isArray(part.prefixItems) ? part.prefixItems : Array.isArray(part.items) ? part.items : [];
    if (index < positional.length) return [positional[index]];
    const rest = Array.isArray(part.items) ? part.additionalItems : part.items;
    return rest === undefined ? [] : [rest];
  });
}

/** Follows a reference inside the schema, such as `#/$defs/item`; undefined when it leads nowhere or elsewhere. */
export function resolveReference(reference: unknown, root: JsonSchema): unknown {
  if (reference === "#") return root;
  if (typeof reference !== "string" || !reference.startsWith("#/")) return undefined;
  let target: unknown = root;
  for (const token of reference.slice(2).split("/")) {
    [target] = ownProperty(target, unescapeToken(token));
    if (target === undefined) return undefined;
  }
  return target;
}

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function reached(schemas: Iterable<unknown>, step: (part: JsonSchema) => unknown[]): readonly JsonSchema[] {
  const parts = new Set<JsonSchema>();
  for (const schema of schemas) if (isSchema(schema)) parts.add(schema);
  // A set may grow while it is iterated: added parts are visited too, and a cycle of references adds nothing.
  for (const part of parts) for (const inner of step(part)) if (isSchema(inner)) parts.add(inner);
  return [...parts];
}

function demanded(part: JsonSchema, root: JsonSchema): unknown[] {
  return [resolveReference(part.$ref, root), ...listOf(part.allOf)];
}

function alternatives(part: JsonSchema): unknown[] {
  return [
    ...listOf(part.anyOf),
    ...listOf(part.oneOf),
    part.if,
    part.then,
    part.else,
    ...valuesOf(part.dependentSchemas),
    ...valuesOf(part.dependencies),
  ];
}

function valuesOf(keyword: unknown): unknown[] {
  return isSchema(keyword) ? Object.values(keyword) : [];
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function ownProperty(holder: unknown, key: string): unknown[] {
  if (typeof holder !== "object" || holder === null || !Object.hasOwn(holder, key)) return [];
  return [(holder as Record<string, unknown>)[key]];
}

function matchingPatterns(part: JsonSchema, key: string): unknown[] {
  if (!isSchema(part.patternProperties)) return [];
  return Object.entries(part.patternProperties)
    .filter(([pattern]) => new RegExp(pattern, "u").test(key))
    .map(([, schema]) => schema);
}

function unescapeToken(token: string): string {
  return decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
}

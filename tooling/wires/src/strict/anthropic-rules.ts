import { at, firstProblem, inside, isObject, type Schema } from "./json-schema.ts";

/**
 * What Anthropic's server says of the schema of an answer; undefined if it takes it.
 * https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations
 */
export function outputProblem(schema: Schema): string | undefined {
  return (
    firstProblem(schema, (part) => nodeProblem(part, schema)) ??
    (isCircular(schema, schema, []) ? "Circular reference detected in schema definitions." : countProblem(schema))
  );
}

/** What it says of the schema of a tool's input. */
export function inputProblem(schema: Schema): string | undefined {
  if (schema.type !== "object") return "input_schema.type: Field required";
  if (["oneOf", "allOf", "anyOf"].some((keyword) => schema[keyword] !== undefined)) {
    return "input_schema does not support oneOf, allOf, or anyOf at the top level";
  }
  const isOld = firstProblem(schema, ({ items, exclusiveMinimum }) =>
    Array.isArray(items) || exclusiveMinimum === true ? "old" : undefined,
  );
  return isOld ? "JSON schema is invalid. It must match JSON Schema draft 2020-12" : undefined;
}

const unsupported: Readonly<Record<string, readonly string[]>> = {
  string: ["minLength", "maxLength"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  integer: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  array: ["maxItems", "uniqueItems", "contains", "prefixItems"],
  object: ["minProperties", "maxProperties", "propertyNames", "patternProperties"],
};
const formats = ["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"];

function nodeProblem(part: Schema, root: Schema): string | undefined {
  if (part.$ref !== undefined) return at(part.$ref, root) ? undefined : "External $ref is not supported.";
  const named = ["type", "anyOf", "allOf", "enum", "const"].some((keyword) => part[keyword] !== undefined);
  if (!named) return "Schema type is required.";
  if (part.oneOf !== undefined || part.not !== undefined) return "oneOf and not are not supported.";
  for (const type of [part.type ?? []].flat().map(String)) {
    const used = (unsupported[type] ?? []).filter((keyword) => part[keyword] !== undefined);
    if (used.length > 0) return `For '${type}' type, properties ${used.join(", ")} are not supported`;
    if (type === "object" && part.additionalProperties !== false) {
      return "For 'object' type, 'additionalProperties' must be explicitly set to false";
    }
  }
  if (part.minItems !== undefined && part.minItems !== 0 && part.minItems !== 1) {
    return "For 'array' type, 'minItems' values other than 0 or 1 are not supported";
  }
  if (part.format !== undefined && !formats.includes(String(part.format))) {
    return `For 'string' type, format '${part.format}' is not supported`;
  }
  return Array.isArray(part.enum) && part.enum.some(isObject) ? "Complex types in enums are not supported." : undefined;
}

function isCircular(part: Schema, root: Schema, path: readonly Schema[]): boolean {
  const target = part.$ref === undefined ? undefined : at(part.$ref, root);
  if (target) return path.includes(target) || isCircular(target, root, [...path, target]);
  return inside(part).some(([, inner]) => isCircular(inner, root, part === root ? [root] : path));
}

function countProblem(schema: Schema): string | undefined {
  const parts = [...everyPart(schema)];
  const keys = parts.flatMap(({ properties, required }) =>
    Object.entries(isObject(properties) ? properties : {}).map(([key, inner]) => ({
      isOptional: !Array.isArray(required) || !required.includes(key),
      isUnion: isObject(inner) && (Array.isArray(inner.anyOf) || Array.isArray(inner.type)),
    })),
  );
  if (keys.filter(({ isOptional }) => isOptional).length > 24)
    return "Schema is too complex: too many optional parameters.";
  return keys.filter(({ isUnion }) => isUnion).length > 16 ? "Schema is too complex: too many union types." : undefined;
}

function* everyPart(schema: Schema): Generator<Schema> {
  yield schema;
  for (const [, inner] of inside(schema)) yield* everyPart(inner);
}

import { at, firstProblem, inside, isObject, type Schema } from "./json-schema.ts";

/**
 * What OpenAI's server says of a schema that is sent as strict; undefined if it takes it.
 * https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
 */
export function strictProblem(schema: Schema): string | undefined {
  if (schema.type !== "object") return notAnObject(schema);
  if (schema.anyOf !== undefined) return "In context=(), 'anyOf' is not permitted.";
  return firstProblem(schema, (part, way) => nodeProblem(part, way, schema)) ?? sizeProblem(schema);
}

/** What it says of the parameters of a function that is not strict. */
export function functionProblem(schema: Schema): string | undefined {
  if (schema.type !== "object") return notAnObject(schema);
  if (["oneOf", "anyOf", "allOf", "enum", "not"].some((keyword) => schema[keyword] !== undefined)) {
    return "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.";
  }
  if (!isObject(schema.properties)) return "In context=(), object schema missing properties.";
  return firstProblem(schema, (part, way) =>
    part.type === "array" && part.items === undefined ? `${context(way)}, array schema missing items.` : undefined,
  );
}

function notAnObject({ type }: Schema): string {
  return `schema must be a JSON Schema of 'type: "object"', got 'type: "${type ?? "None"}"'.`;
}

function context(way: readonly string[]): string {
  return `In context=(${way.map((step) => `'${step}'`).join(", ")})`;
}

const keywords: Readonly<Record<string, readonly string[]>> = {
  string: ["pattern", "format"],
  number: ["multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum"],
  integer: ["multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum"],
  array: ["items", "minItems", "maxItems"],
  object: ["properties", "required", "additionalProperties"],
  boolean: [],
  null: [],
};
const everywhere = ["type", "description", "title", "enum", "const", "anyOf", "$defs", "definitions"];
const formats = ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];

function nodeProblem(part: Schema, way: readonly string[], root: Schema): string | undefined {
  const { $ref, type, anyOf } = part;
  if ($ref !== undefined) {
    const others = Object.keys(part).filter((keyword) => keyword !== "$ref");
    if (others.length > 0) return `${context(way)}, $ref cannot have keywords {'${others.join("', '")}'}.`;
    return at($ref, root) ? undefined : `${context(way)}, reference can only point to definitions.`;
  }
  if (anyOf === undefined && type === undefined) return `${context(way)}, schema must have a 'type' key.`;
  const types = [type ?? []].flat().map(String);
  const permitted = [...everywhere, ...types.flatMap((one) => keywords[one] ?? [])];
  const foreign = Object.keys(part).find((keyword) => !permitted.includes(keyword));
  if (foreign !== undefined && foreign !== "additionalProperties")
    return `${context(way)}, '${foreign}' is not permitted.`;
  if (part.format !== undefined && !formats.includes(String(part.format))) {
    return `${context(way)}, '${part.format}' is not a valid format.`;
  }
  if (typeof part.pattern === "string" && /\(\?[=!<]/.test(part.pattern)) {
    return `${context(way)}, lookaround is not supported in pattern.`;
  }
  if (types.includes("array") && !isObject(part.items)) return `${context(way)}, array schema missing items.`;
  return types.includes("object") ? objectProblem(part, way) : undefined;
}

function objectProblem(
  { properties, required, additionalProperties }: Schema,
  way: readonly string[],
): string | undefined {
  if (additionalProperties !== false) {
    return `${context(way)}, 'additionalProperties' is required to be supplied and to be false.`;
  }
  const missing = Object.keys(isObject(properties) ? properties : {}).find(
    (key) => !Array.isArray(required) || !required.includes(key),
  );
  if (missing === undefined) return undefined;
  return `${context(way)}, 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`;
}

function sizeProblem(schema: Schema): string | undefined {
  const parts = [...everyPart(schema)];
  const keys = parts.flatMap(({ properties }) => (isObject(properties) ? Object.keys(properties) : []));
  const values = parts.flatMap(({ enum: list }): unknown[] => (Array.isArray(list) ? list : []));
  if (keys.length > 5000) return "the schema has more than 5000 properties.";
  if (values.length > 1000) return "the schema has more than 1000 enum values.";
  return depthOf(schema) > 10 ? "the schema exceeds the maximum of 10 levels of nesting." : undefined;
}

function* everyPart(schema: Schema): Generator<Schema> {
  yield schema;
  for (const [, inner] of inside(schema)) yield* everyPart(inner);
}

function depthOf(schema: Schema): number {
  const own = schema.type === "object" ? 1 : 0;
  return own + Math.max(0, ...inside(schema).map(([, inner]) => depthOf(inner)));
}

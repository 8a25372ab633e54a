import type { Json, JsonObject } from "@cogency/protocol";

type Check = (value: Json) => string | undefined;

const types = ["object", "array", "string", "number", "integer", "boolean", "null"];

const ofKind =
  (wanted: string, isRight: (value: Json) => boolean): Check =>
  (value) =>
    isRight(value) ? undefined : `must be ${wanted}`;

const isObject = (value: Json): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isType = (value: Json) => typeof value === "string" && types.includes(value);
const isText = (value: Json) => typeof value === "string";
const isFilled = (value: Json): value is Json[] => Array.isArray(value) && value.length > 0;

const type = ofKind(
  `one of ${types.join(", ")}, or a list of them`,
  (value) => isType(value) || (isFilled(value) && value.every(isType)),
);
const number = ofKind("a number", (value) => typeof value === "number");
const count = ofKind("a whole number from 0 up", (value) => Number.isInteger(value) && (value as number) >= 0);
const text = ofKind("a text", isText);
const flag = ofKind("true or false", (value) => typeof value === "boolean");
const texts = ofKind(
  "a list of texts, each once",
  (value) => Array.isArray(value) && value.every(isText) && new Set(value).size === value.length,
);
const regex = ofKind("a regular expression", (value) => typeof value === "string" && isRegex(value));
const local = ofKind(
  "a reference within the schema, such as #/$defs/a",
  (value) => isText(value) && `${value}`.startsWith("#"),
);

/** Keywords whose value is no schema. Any other keyword is left to the check of the arguments. */
const plain: Readonly<Record<string, Check>> = {
  type,
  required: texts,
  enum: ofKind("a list that is not empty", isFilled),
  description: text,
  title: text,
  format: text,
  pattern: regex,
  $ref: local,
  ...Object.fromEntries(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"].map((name) => [name, number])),
  multipleOf: ofKind("a number above 0", (value) => typeof value === "number" && value > 0),
  ...Object.fromEntries(
    [
      "minLength",
      "maxLength",
      "minItems",
      "maxItems",
      "minProperties",
      "maxProperties",
      "minContains",
      "maxContains",
    ].map((name) => [name, count]),
  ),
  uniqueItems: flag,
};

const single = ["items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else"];
const lists = ["anyOf", "oneOf", "allOf", "prefixItems"];
const records = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];

/**
 * Says what is wrong with a JSON Schema, and at which place; undefined if nothing is. A server that holds a model to the schemas of tools
 * refuses a request with a wrong one, with all its other tools.
 */
export function schemaProblem(schema: Json, path = ""): string | undefined {
  if (typeof schema === "boolean") return undefined;
  if (!isObject(schema)) return `${path || "the schema"} must be a schema, which is an object`;
  for (const [key, value] of Object.entries(schema)) {
    const at = path === "" ? key : `${path}.${key}`;
    const problem = problemAt(key, value, at);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemAt(key: string, value: Json, at: string): string | undefined {
  const check = Object.hasOwn(plain, key) ? plain[key] : undefined;
  if (check !== undefined) {
    const problem = check(value);
    return problem && `${at} ${problem}`;
  }
  if (single.includes(key)) return schemaProblem(value, at);
  if (lists.includes(key)) {
    if (!isFilled(value)) return `${at} must be a list of schemas`;
    return first(value.map((part, index) => [part, `${at}[${index}]`]));
  }
  if (!records.includes(key)) return undefined;
  if (!isObject(value)) return `${at} must be an object of schemas`;
  return first(Object.entries(value).map(([name, part]) => [part, `${at}.${name.slice(0, 60)}`]));
}

function first(parts: readonly (readonly [part: Json, at: string])[]): string | undefined {
  for (const [part, at] of parts) {
    const problem = schemaProblem(part, at);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function isRegex(source: string): boolean {
  try {
    return new RegExp(source, "u") instanceof RegExp;
  } catch {
    return false;
  }
}

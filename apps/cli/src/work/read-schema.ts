import type { JsonSchema } from "@cogency/protocol";
import { answerSchema } from "@cogency/tools/host";
import { UsageError } from "../base/errors/usage-error.ts";
import { readJson } from "../base/files/read-json.ts";

/**
 * Reads the JSON Schema of an answer from a file.
 *
 * @throws UsageError if it cannot be read, or is no JSON Schema that an answer can be checked by
 */
export async function readSchema(file: string): Promise<JsonSchema> {
  const schema = readJson("The schema", file);
  const reading = await answerSchema(schemaOfSchemas).read(schema);
  const problem = "problem" in reading ? reading.problem : problemOf(schema as JsonSchema);
  if (problem === undefined) return schema as JsonSchema;
  const example = '{"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}';
  throw new UsageError(`${file} is no JSON Schema: ${problem}. Write one such as ${example}.`);
}

function problemOf(schema: JsonSchema): string | undefined {
  if (!Object.keys(schema).some((keyword) => keywords.has(keyword))) {
    return 'it demands nothing, because it has no keyword such as "type" or "properties"';
  }
  try {
    answerSchema(schema);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const one = { $ref: "#/$defs/schema" };
const many = { type: "array", items: one };
const named = { type: "object", additionalProperties: one };
const pattern = { type: "string", format: "regex" };
const type = { enum: ["object", "array", "string", "number", "integer", "boolean", "null"] };

/** The keywords that demand something of an answer, by what each must be in any draft of JSON Schema since 4. */
const keywordsOf: readonly [value: object, keywords: string][] = [
  [{ type: "string" }, "$ref $dynamicRef format"],
  [{ anyOf: [type, { type: "array", items: type }] }, "type"],
  [{ type: "array" }, "enum"],
  [{}, "const dependentRequired dependencies"],
  [one, "not if then else contains propertyNames"],
  [one, "additionalProperties additionalItems unevaluatedProperties unevaluatedItems"],
  [many, "allOf anyOf oneOf prefixItems"],
  [{ anyOf: [one, many] }, "items"],
  [named, "properties dependentSchemas"],
  [{ ...named, propertyNames: pattern }, "patternProperties"],
  [pattern, "pattern"],
  [{ type: "array", items: { type: "string" } }, "required"],
  [{ type: "boolean" }, "uniqueItems"],
  [{ type: ["number", "boolean"] }, "exclusiveMinimum exclusiveMaximum"],
  [{ type: "number" }, "minimum maximum multipleOf"],
  [{ type: "integer", minimum: 0 }, "minLength maxLength minItems maxItems minContains maxContains"],
  [{ type: "integer", minimum: 0 }, "minProperties maxProperties"],
];

const keywords = new Map(keywordsOf.flatMap(([value, names]) => names.split(" ").map((name) => [name, value])));

/** The part of a schema of JSON Schema that finds what people mistype. It leaves out `default`, which a reader of answers checks. */
const schemaOfSchemas: JsonSchema = {
  type: "object",
  allOf: [one],
  $defs: {
    schema: {
      type: ["object", "boolean"],
      properties: { ...Object.fromEntries(keywords), $defs: named, definitions: named },
    },
  },
};

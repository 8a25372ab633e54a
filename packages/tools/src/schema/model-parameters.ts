import type { JsonObject, JsonSchema } from "@cogency/protocol";
import { definitionError, type ToolError } from "../errors.ts";
import { frozenCopy } from "../frozen-copy.ts";
import { messageOf } from "../message-of.ts";
import type { ToolInput } from "./infer-args.ts";
import { rootKind } from "./root-kind.ts";
import { isStandardSchema, jsonSchemaAdvice, jsonSchemaOf } from "./standard-schema.ts";

/**
 * The JSON Schema of the arguments that the model reads: the given one, or else `input` itself or the one that its library
 * makes. A frozen copy, so that its bytes stay the same.
 *
 * @throws ToolError if there is none, if it cannot be written as JSON, or if the root of it or of `input` is not an
 *   object
 */
export function modelParameters(name: string, input: ToolInput, given: JsonSchema | undefined): JsonSchema {
  const schema = plainCopy(name, given ?? jsonSchemaFrom(name, input));
  if (schema.type !== "object") {
    throw noObject(name, schema.type === undefined ? "no plain object" : JSON.stringify(schema.type));
  }
  const own = isStandardSchema(input) ? rootKind(input) : "object";
  if (own !== undefined && own !== "object") throw noObject(name, JSON.stringify(own));
  return schema;
}

function noObject(name: string, root: string): ToolError {
  return definitionError(
    "root_not_object",
    name,
    `the root of the schema is ${root}, ` +
      'but arguments are always an object: wrap it as {"type": "object", "properties": …}.',
  );
}

function jsonSchemaFrom(name: string, input: ToolInput): JsonSchema {
  if (!isStandardSchema(input)) return input;
  const { vendor } = input["~standard"];
  const advice = jsonSchemaAdvice(input);
  try {
    const schema = jsonSchemaOf(input);
    if (schema !== undefined) return schema;
  } catch (cause) {
    const problem = messageOf(cause) || String(cause);
    throw definitionError("no_json_schema", name, `${vendor} reports: ${problem}; ${advice}`, { cause });
  }
  throw definitionError("no_json_schema", name, `${vendor} gives no JSON Schema for this input; ${advice}`);
}

/** A copy as plain data, without the keys that some libraries add at the root. */
function plainCopy(name: string, schema: unknown): JsonSchema {
  const { $schema, "~standard": _, ...copy } = asData(name, schema);
  return frozenCopy(copy);
}

function asData(name: string, schema: unknown): JsonObject {
  let text = "";
  try {
    text = JSON.stringify(schema);
  } catch (cause) {
    throw definitionError("invalid_schema", name, "the schema is no JSON.", { cause });
  }
  if (!text?.startsWith("{")) {
    throw definitionError("invalid_schema", name, "`input` is neither a Standard Schema nor JSON Schema.");
  }
  return JSON.parse(text, (key, value) => {
    if (key !== "__proto__") return value;
    throw definitionError("invalid_schema", name, "the schema holds a key `__proto__`.");
  });
}

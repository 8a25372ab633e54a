import type { JsonObject, JsonSchema, ToolSpec } from "@cogency/protocol";
import type { ApprovalDecision } from "./approval.ts";
import { ToolDefinitionError } from "./errors.ts";
import { frozenCopy } from "./frozen-copy.ts";
import type { InferArgs, ToolInput } from "./infer-args.ts";
import { jsonSchemaValidator } from "./json-schema-validator.ts";
import { messageOf } from "./message-of.ts";
import type { Validation } from "./schema.ts";
import { isStandardSchema, jsonSchemaOf, validateStandard } from "./standard-schema.ts";
import { stripUnknownKeys } from "./strip-unknown-keys.ts";
import type { Resource, Tool, ToolAnnotations, ToolContext } from "./tool.ts";
import { checkToolName } from "./tool-name.ts";

export interface ToolDefinition<Input extends ToolInput> {
  /** `^[A-Za-z_][A-Za-z0-9_-]{0,63}$`, and no marker name (`think`, `execute`, `results`, `end`). */
  name: string;
  /** What the model reads to decide when to call it. */
  description: string;
  /** Any Standard Schema, or plain JSON Schema. Its root is an object. */
  input: Input;
  /** JSON Schema told to the model instead of the one `input` gives; required where its library gives none. */
  parameters?: JsonSchema | undefined;
  /** The body. What it returns or resolves is the result; what it throws is a failure with that message. */
  execute(args: InferArgs<Input>, context: ToolContext): unknown;
  annotations?: ToolAnnotations | undefined;
  /** Milliseconds that one call may take, `Infinity` for no limit; the executor's own limit when absent. */
  timeout?: number | undefined;
  /** What happens to its calls unless the host's policy names the tool: `"ask"` for one that nobody should let run unseen. */
  approval?: ApprovalDecision | undefined;
  /** What a call with these arguments touches: calls of a batch that share a key run in call order. */
  resource?: ((args: InferArgs<Input>) => Resource | Promise<Resource>) | undefined;
}

/**
 * Makes a tool whose arguments are checked against `input` before `execute` sees them, with the types that `input`
 * implies. Keys that the schema does not declare are stripped.
 *
 * @throws ToolDefinitionError if the name, the schema or the timeout cannot work
 */
export function defineTool<const Input extends ToolInput>(definition: ToolDefinition<Input>): Tool {
  const { name, description, input, annotations = {}, timeout, approval, execute, resource } = definition;
  checkToolName(name);
  checkTimeout(name, timeout);
  const parameters = modelParameters(name, input, definition.parameters);
  const spec: ToolSpec = Object.freeze({ name, description, parameters });
  return Object.freeze({
    name,
    description,
    spec,
    annotations: Object.freeze({ ...annotations }),
    validate: validatorFor(name, input, parameters),
    // The registry knows tools of any arguments; what `validate` returned is what `input` promised.
    execute: (args: unknown, context: ToolContext) => execute.call(definition, args as InferArgs<Input>, context),
    ...(timeout === undefined ? {} : { timeout }),
    ...(approval && { approval }),
    ...(resource && { resource: (args: unknown) => resource.call(definition, args as InferArgs<Input>) }),
  });
}

function checkTimeout(name: string, timeout: number | undefined): void {
  if (timeout !== undefined && !(timeout > 0)) {
    throw new ToolDefinitionError("invalid_timeout", name, `timeout is ${timeout}; give milliseconds above zero.`);
  }
}

function modelParameters(name: string, input: ToolInput, given: JsonSchema | undefined): JsonSchema {
  const schema = plainCopy(name, given ?? jsonSchemaFrom(name, input));
  if (schema.type !== "object") {
    throw new ToolDefinitionError(
      "root_not_object",
      name,
      `the root of the schema is ${schema.type === undefined ? "no plain object" : JSON.stringify(schema.type)}, ` +
        'but arguments are always an object: wrap it as {"type": "object", "properties": …}.',
    );
  }
  return schema;
}

function jsonSchemaFrom(name: string, input: ToolInput): JsonSchema {
  if (!isStandardSchema(input)) return input;
  const { vendor } = input["~standard"];
  try {
    const schema = jsonSchemaOf(input);
    if (schema !== undefined) return schema;
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    const advice = "give the model's view of it as JSON Schema in `parameters`.";
    throw new ToolDefinitionError("no_json_schema", name, `${vendor} reports: ${problem}; ${advice}`, { cause });
  }
  throw new ToolDefinitionError(
    "no_json_schema",
    name,
    `${vendor} gives no JSON Schema for this input; give it in \`parameters\`, or use the library's Standard JSON Schema converter.`,
  );
}

/** Pure data, without the noise that some libraries leave at the root; frozen, so that its bytes stay the same. */
function plainCopy(name: string, schema: unknown): JsonSchema {
  const { $schema, "~standard": _, ...copy } = asData(name, schema);
  return frozenCopy(copy);
}

function asData(name: string, schema: unknown): JsonObject {
  let text = "";
  try {
    text = JSON.stringify(schema);
  } catch (cause) {
    throw new ToolDefinitionError("invalid_schema", name, "the schema is no JSON.", { cause });
  }
  if (!text?.startsWith("{")) {
    throw new ToolDefinitionError("invalid_schema", name, "`input` is neither a Standard Schema nor JSON Schema.");
  }
  return JSON.parse(text, (key, value) => {
    if (key !== "__proto__") return value;
    throw new ToolDefinitionError("invalid_schema", name, "the schema holds a key `__proto__`.");
  });
}

function validatorFor(name: string, input: ToolInput, parameters: JsonSchema): Tool["validate"] {
  const strict = isStandardSchema(input) ? "keep" : "strip";
  const check = isStandardSchema(input)
    ? (value: unknown) => validateStandard(input, value)
    : plainValidator(name, input);
  return (args) => {
    try {
      const validation = check(stripUnknownKeys(args, parameters, strict));
      return validation instanceof Promise ? validation.catch(inapplicable) : validation;
    } catch (error) {
      return inapplicable(error);
    }
  };
}

function plainValidator(name: string, schema: JsonSchema): (args: JsonObject) => Validation {
  try {
    return jsonSchemaValidator(schema);
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new ToolDefinitionError("invalid_schema", name, `the schema cannot be applied: ${problem}.`, { cause });
  }
}

function inapplicable(error: unknown): Validation {
  const problem = messageOf(error) || "the schema failed without a message";
  return { ok: false, issues: [{ path: "", message: `the arguments could not be checked: ${problem}` }] };
}

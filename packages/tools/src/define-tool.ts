import type { JsonObject, JsonSchema, ToolSpec } from "@cogency/protocol";
import {
  anything,
  callback,
  checkOptions,
  name as filled,
  flag,
  group,
  type OptionKind,
  type OptionTable,
  object,
  oneOf,
  required,
  text,
} from "@cogency/protocol/options";
import { definitionError } from "./errors.ts";
import { messageOf } from "./message-of.ts";
import type { CallArgs } from "./schema/call-args.ts";
import type { InferArgs, NoRawShape, ToolInput } from "./schema/infer-args.ts";
import { jsonSchemaValidator } from "./schema/json-schema-validator.ts";
import { modelParameters } from "./schema/model-parameters.ts";
import { refuseRawShape } from "./schema/raw-shape.ts";
import { type SchemaPlace, schemaPlace } from "./schema/schema-place.ts";
import { isStandardSchema, validateStandard } from "./schema/standard-schema.ts";
import { stripUnknownKeys } from "./schema/strip-unknown-keys.ts";
import type { CallOutcome, Content, Resource, Tool, ToolAnnotations, ToolContext, VerifyContext } from "./tool.ts";
import { checkToolName } from "./tool-name.ts";
import type { Issue, Validation } from "./validation.ts";

export interface ToolDefinition<Input extends ToolInput, Name extends string = string> {
  /** `^[A-Za-z_][A-Za-z0-9_-]{0,63}$`, and no marker name (`think`, `execute`, `results`, `end`). */
  name: Name;
  /** The model reads it to decide when to call the tool. */
  description: string;
  /**
   * Any Standard Schema, or plain JSON Schema. Its root must be an object. An object of schemas, `{ order: z.string() }`, is
   * refused: write `z.object({ order: z.string() })`.
   */
  input: Input & NoRawShape<Input>;
  /**
   * The JSON Schema that the model reads instead of the one of `input`. Required if the library of `input` gives none (zod 3,
   * zod/mini, valibot).
   */
  parameters?: JsonSchema | undefined;
  /**
   * The body. The value that it returns, or that its promise resolves to, is the result; an error that it throws is a
   * failure with its message. If it returns a generator, each `yield` is progress, and the value that the generator returns
   * is the result.
   */
  execute(args: InferArgs<Input>, context: ToolContext): unknown;
  annotations?: ToolAnnotations | undefined;
  /** Who has defined it, where that is not the program; see `Tool.definedBy`. */
  definedBy?: string | undefined;
  /** Milliseconds that one call may take, `Infinity` for no limit. Defaults to the limit of the executor. */
  timeout?: number | undefined;
  /** Bytes of one result that the model may see, `Infinity` for no limit. Defaults to the limit of the executor. */
  maxResultBytes?: number | undefined;
  /** `"ask"` or `"deny"` for each call, unless the rules of the host name the tool; `"allow"` where they say nothing about it. */
  approval?: "allow" | "ask" | "deny" | undefined;
  /**
   * Whether the body asks a person: `context.ask`. Such a call does not begin before its block has closed, and may be left in its
   * question and run again from the top, see {@link Ask}.
   */
  asks?: boolean | undefined;
  /** Milliseconds that the body may take to end after its signal has aborted, up to 400. Defaults to 50. */
  grace?: number | undefined;
  /** The resources that a call with these arguments touches. Calls of a batch that share a key run in call order. */
  resource?: ((args: InferArgs<Input>) => Resource | Promise<Resource>) | undefined;
  /** Why a call with these arguments asks even if its tool is allowed; see `Tool.cautions`. */
  cautions?: ((args: InferArgs<Input>) => readonly string[] | Promise<readonly string[]>) | undefined;
  /**
   * After a crash: what became of a call that had begun; see `Tool.verify`. Give the outside world the id of the call
   * (`context.call.id`) in `execute`, and look for it here.
   */
  verify?: ((args: InferArgs<Input>, context: VerifyContext) => CallOutcome | Promise<CallOutcome>) | undefined;
  /** The content that its result brings into the conversation; see `Tool.brings`. */
  brings?: ((args: InferArgs<Input>) => readonly Content[]) | undefined;
  /** Whether a call with these arguments reaches beyond this machine; see `Tool.reachesOut`. */
  reachesOut?: ((args: InferArgs<Input>) => boolean) | undefined;
}

/**
 * Makes a tool. Its arguments are checked against `input` before `execute` gets them, with the types that `input` implies.
 * Keys that the schema does not declare are refused.
 *
 * @example
 * const add = defineTool({
 *   name: "add",
 *   description: "Adds two numbers",
 *   input: z.object({ a: z.number(), b: z.number() }),
 *   execute: ({ a, b }) => a + b,
 * });
 *
 * @throws ToolError for an invalid name, schema, timeout or grace; TypeError for an unknown field or annotation, or
 * one of a wrong type; RangeError for an unknown `approval`
 */
export function defineTool<const Input extends ToolInput, const Name extends string = string>(
  definition: ToolDefinition<Input, Name>,
): Tool<Name, CallArgs<Input>> {
  checkOptions<ToolDefinition<ToolInput>>("defineTool", definition, definitionTable);
  const {
    name,
    description,
    input,
    annotations = {},
    definedBy,
    timeout,
    maxResultBytes,
    approval,
    asks,
    grace,
    execute,
    resource,
    cautions,
    verify,
    brings,
    reachesOut,
  } = definition;
  checkToolName(name);
  checkTimeout(name, timeout);
  checkGrace(name, grace);
  refuseRawShape(name, input);
  const parameters = modelParameters(name, input, definition.parameters);
  const readOnly = annotations.readOnlyHint === true && { readOnly: true };
  const spec: ToolSpec = Object.freeze({ name, description, parameters, ...readOnly });
  return Object.freeze({
    name,
    description,
    spec,
    annotations: Object.freeze({ ...annotations }),
    validate: validatorFor(name, input, parameters, definition.parameters === undefined),
    // The registry holds tools of any arguments. `validate` has returned arguments of the type that `input` implies.
    execute: (args: unknown, context: ToolContext) => execute.call(definition, args as InferArgs<Input>, context),
    ...(definedBy !== undefined && { definedBy }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(maxResultBytes === undefined ? {} : { maxResultBytes }),
    ...(approval && { approval }),
    ...(asks && { asks }),
    ...(grace === undefined ? {} : { grace }),
    ...(resource && { resource: (args: unknown) => resource.call(definition, args as InferArgs<Input>) }),
    ...(cautions && { cautions: (args: unknown) => cautions.call(definition, args as InferArgs<Input>) }),
    ...(verify && {
      verify: (args: unknown, context: VerifyContext) => verify.call(definition, args as InferArgs<Input>, context),
    }),
    ...(brings && { brings: (args: unknown) => brings.call(definition, args as InferArgs<Input>) }),
    ...(reachesOut && { reachesOut: (args: unknown) => reachesOut.call(definition, args as InferArgs<Input>) }),
  });
}

/** The timeout and the grace have errors of their own. */
const number: OptionKind = { wanted: "a number of milliseconds", isOfType: (value) => typeof value === "number" };

const definitionTable: OptionTable<ToolDefinition<ToolInput>> = /* @__PURE__ */ (() => ({
  name: required({ ...anything, wanted: "the name of the tool" }),
  description: required({ ...text, wanted: "a text that says what the tool does" }),
  input: required({
    ...anything,
    wanted: "the schema of its arguments, such as `z.object({})`, or JSON Schema; `parameters` does not replace it",
  }),
  parameters: object,
  execute: required({ ...callback, wanted: "the body of the tool, a function" }),
  annotations: group<ToolAnnotations & { title?: string }>({
    readOnlyHint: flag,
    destructiveHint: flag,
    idempotentHint: flag,
    openWorldHint: flag,
    title: anything,
  }),
  definedBy: filled,
  timeout: number,
  maxResultBytes: { ...number, wanted: "a number of bytes" },
  approval: oneOf("allow", "ask", "deny"),
  asks: flag,
  grace: number,
  resource: callback,
  cautions: callback,
  verify: callback,
  brings: callback,
  reachesOut: callback,
}))();

function checkTimeout(name: string, timeout: number | undefined): void {
  if (timeout !== undefined && !(timeout > 0)) {
    throw definitionError("invalid_timeout", name, `timeout is ${timeout}; give milliseconds above zero.`);
  }
}

function checkGrace(name: string, grace: number | undefined): void {
  if (grace !== undefined && !(grace >= 0 && grace <= longestGrace)) {
    throw definitionError("invalid_grace", name, `grace is ${grace}; give 0 to ${longestGrace} milliseconds.`);
  }
}

/** Milliseconds. A cancelled run waits for it, and must end within half a second. */
const longestGrace = 400;

/** @param isOwn whether the parameters are a copy of the input */
function validatorFor(name: string, input: ToolInput, parameters: JsonSchema, isOwn: boolean): Tool["validate"] {
  let known: SchemaPlace | undefined;
  const check = isStandardSchema(input)
    ? (value: unknown) => validateStandard(input, value)
    : isOwn && !mayBeInapplicable.test(JSON.stringify(parameters))
      ? laterValidator({ ...parameters, ...(typeof input.$schema === "string" && { $schema: input.$schema }) })
      : plainValidator(name, input);
  return (args) => {
    try {
      known ??= schemaPlace(parameters);
      const stripped = stripUnknownKeys(args, known);
      const validation = guarded(check(stripped.args));
      if (stripped.unknown.length === 0) return validation;
      const withUnknown = (result: Validation) => withIssues(result, stripped.unknown);
      return validation instanceof Promise ? validation.then(withUnknown) : withUnknown(validation);
    } catch (error) {
      return inapplicable(error);
    }
  };
}

function guarded(validation: Validation | Promise<Validation>): Validation | Promise<Validation> {
  return validation instanceof Promise ? validation.catch(inapplicable) : validation;
}

function withIssues(validation: Validation, more: readonly Issue[]): Validation {
  return { ok: false, issues: validation.ok ? more : [...validation.issues, ...more] };
}

/** Keywords of a schema that may be impossible to apply. */
const mayBeInapplicable = /"(\$?id|\$anchor|\$\w*[Rr]ef|default)":/;

/** Of a server with hundreds of tools a run calls a few: the others need no validator. */
function laterValidator(schema: JsonSchema): (args: JsonObject) => Validation {
  let check: ((value: JsonObject) => Validation) | undefined;
  return (args) => {
    check ??= jsonSchemaValidator(schema);
    return check(args);
  };
}

function plainValidator(name: string, schema: JsonSchema): (args: JsonObject) => Validation {
  try {
    return jsonSchemaValidator(schema);
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw definitionError("invalid_schema", name, `the schema cannot be applied: ${problem}.`, { cause });
  }
}

function inapplicable(error: unknown): Validation {
  const problem = messageOf(error) || "the schema failed without a message";
  return { ok: false, issues: [{ path: "", message: `the arguments could not be checked: ${problem}` }] };
}

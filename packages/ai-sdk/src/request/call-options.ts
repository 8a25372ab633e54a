import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { JsonObject, JsonSchema, ToolSpec } from "@cogency/protocol";
import { type ModelRequest, ProviderError } from "@cogency/provider";
import { alternating, isObject, parametersFor, schemaFor } from "@cogency/provider/http";
import type { LanguageModel } from "../language-model.ts";
import { olderPrompt } from "./older-prompt.ts";
import { toPrompt } from "./prompt.ts";
import { commonRules } from "./schema-rules.ts";
import { reasoningOption } from "./thinking.ts";

type Tool = NonNullable<LanguageModelV4CallOptions["tools"]>[number];
type Schema = Extract<Tool, { type: "function" }>["inputSchema"];

/** What a call of the model gets. */
export interface Call {
  readonly request: ModelRequest;
  readonly model: LanguageModel;
  /** The name of the provider, by which it knows its native blocks. */
  readonly name: string;
  readonly signal: AbortSignal;
}

/**
 * The options of `doStream`, in the specification of the model. Roles take turns, because servers behind a model may demand it.
 *
 * @throws ProviderError `bad_request` if `options` of the request are no `providerOptions`
 */
export function toCallOptions({ request, model, name, signal }: Call): object {
  const { system, messages, tools = [], toolChoice, stop, maxOutputTokens, temperature, format } = request;
  const { reasoning, providerOptions } = splitOptions(request.options ?? {});
  const prompt = toPrompt(system, alternating(messages), { name, model: model.modelId });
  const stopSequences = stop?.filter((sequence) => sequence !== "") ?? [];
  const options: LanguageModelV4CallOptions = {
    prompt,
    ...(tools.length > 0 && { tools: tools.map(toTool) }),
    // Servers refuse it without tools.
    ...(tools.length > 0 && toolChoice !== undefined && { toolChoice: toToolChoice(toolChoice) }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(stopSequences.length > 0 && { stopSequences }),
    ...(format && toResponseFormat(format)),
    ...(reasoning !== undefined && { reasoning }),
    ...(Object.keys(providerOptions).length > 0 && { providerOptions }),
    abortSignal: signal,
  };
  return model.specificationVersion === "v4" ? options : { ...options, prompt: olderPrompt(prompt) };
}

type Reasoning = NonNullable<LanguageModelV4CallOptions["reasoning"]>;

function splitOptions(options: JsonObject): { reasoning?: Reasoning; providerOptions: Record<string, JsonObject> } {
  const providerOptions: Record<string, JsonObject> = {};
  let reasoning: Reasoning | undefined;
  for (const [key, value] of Object.entries(options)) {
    if (key === reasoningOption) reasoning = value as Reasoning;
    else if (isObject(value)) providerOptions[key] = value;
    else throw noProviderOptions(key);
  }
  return { ...(reasoning !== undefined && { reasoning }), providerOptions };
}

function noProviderOptions(key: string): ProviderError {
  const message = `The option "${key.slice(0, 100)}" of the request is no object. Options for a model of the AI SDK are its \`providerOptions\`: an object for each provider, such as { "anthropic": { … } }.`;
  return new ProviderError("bad_request", message);
}

function toTool({ name, description, parameters }: ToolSpec): Tool {
  return { type: "function", name, description, inputSchema: asSchema(parametersFor(parameters, commonRules)) };
}

/** Without a form by the rules, the model is asked for JSON alone, which is an object on every wire. */
function toResponseFormat(format: JsonSchema): Pick<LanguageModelV4CallOptions, "responseFormat"> {
  const { schema, isStrict } = schemaFor(format, commonRules);
  if (isStrict) return { responseFormat: { type: "json", schema: asSchema(schema) } };
  return format.type === "object" ? { responseFormat: { type: "json" } } : {};
}

/** A schema is data to us, and has a type in the AI SDK. */
function asSchema(schema: JsonSchema): Schema {
  return schema as Schema;
}

function toToolChoice(
  choice: NonNullable<ModelRequest["toolChoice"]>,
): NonNullable<LanguageModelV4CallOptions["toolChoice"]> {
  return typeof choice === "string" ? { type: choice } : { type: "tool", toolName: choice.name };
}

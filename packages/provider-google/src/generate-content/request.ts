import type { JsonObject, JsonSchema, ToolSpec } from "@cogency/protocol";
import { type ModelRequest, ProviderError } from "@cogency/provider";
import { goOn, isObject, parametersFor, schemaFor } from "@cogency/provider/http";
import type { RequestDefaults } from "../endpoint.ts";
import { type Content, toContents } from "./contents.ts";
import { schemaRules } from "./schema-rules.ts";

/**
 * The body of a `streamGenerateContent` request. Fields that may change from one request to the next come last.
 * `request.options` override every other field; a `generationConfig` is merged field by field.
 *
 * @throws ProviderError `unsupported` if the options ask for several candidates
 */
export function toRequest(request: ModelRequest, defaults: RequestDefaults): Record<string, unknown> {
  const { system, messages, tools = [], toolChoice, options = {} } = request;
  const generationConfig = { ...toGenerationConfig(request, defaults), ...objectOf(options.generationConfig) };
  const { candidateCount = 1 } = generationConfig;
  if (candidateCount !== 1) {
    const message = `\`candidateCount\` is ${JSON.stringify(candidateCount)}: an answer has one candidate. Leave it out.`;
    throw new ProviderError("unsupported", message);
  }
  return {
    ...(system.trim() === "" ? {} : { systemInstruction: { parts: [{ text: system }] } }),
    ...(tools.length > 0 ? { tools: [{ functionDeclarations: tools.map(toDeclaration) }] } : {}),
    contents: endingWithUser(toContents(messages, request.model ?? defaults.model)),
    // The server refuses it without tools.
    ...(tools.length > 0 && toolChoice !== undefined
      ? { toolConfig: { functionCallingConfig: toCallingConfig(toolChoice) } }
      : {}),
    ...options,
    ...(Object.keys(generationConfig).length > 0 ? { generationConfig } : {}),
  };
}

/** "Please ensure that multiturn requests … end with a user role or a function response." */
function endingWithUser(contents: readonly Content[]): readonly Content[] {
  return contents.at(-1)?.role === "model" ? [...contents, { role: "user", parts: [{ text: goOn }] }] : contents;
}

function toGenerationConfig(request: ModelRequest, { thinking }: RequestDefaults): Record<string, unknown> {
  const { maxOutputTokens, temperature, format } = request;
  const stopSequences = request.stop?.filter((sequence) => sequence !== "") ?? [];
  return {
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(stopSequences.length > 0 ? { stopSequences } : {}),
    ...(format ? { responseMimeType: "application/json", ...toSchema(format) } : {}),
    ...(thinking ? { thinkingConfig: thinking } : {}),
  };
}

/** Without a form by the rules, the server holds the model to JSON alone. */
function toSchema(format: JsonSchema): object {
  const { schema, isStrict } = schemaFor(format, schemaRules);
  return isStrict ? { responseJsonSchema: schema } : {};
}

function toDeclaration({ name, description, parameters }: ToolSpec): object {
  return { name, description, parametersJsonSchema: parametersFor(parameters, schemaRules) };
}

function toCallingConfig(choice: NonNullable<ModelRequest["toolChoice"]>): JsonObject {
  if (typeof choice !== "string") return { mode: "ANY", allowedFunctionNames: [choice.name] };
  return { mode: modes[choice] };
}

const modes = { auto: "AUTO", required: "ANY", none: "NONE" } as const;

function objectOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

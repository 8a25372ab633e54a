import type { AssistantMessage, ModelMessage, ToolSpec } from "@cogency/protocol";
import type { ModelRequest } from "@cogency/provider";
import type OpenAI from "openai";
import { replayItems } from "./native.ts";
import { type Refusals, reasoningIds } from "./refusals.ts";

type Body = OpenAI.Responses.ResponseCreateParamsStreaming;
type InputItem = OpenAI.Responses.ResponseInputItem;

interface RequestDefaults {
  /** The provider's name: whose native blocks are replayed. */
  name: string;
  model: string;
  refusals: Refusals;
}

/**
 * The body of a Responses request. The server is told to store nothing, because the log is the memory. Messages are
 * mapped one by one, so that a request which extends an earlier one extends its input too and the server's prompt cache is
 * hit. `request.options` are laid over everything else, but the answer is always a stream.
 *
 * The wire knows no stop sequences: `request.stop` is left out.
 */
export function toResponsesRequest(request: ModelRequest, { name, model, refusals }: RequestDefaults): Body {
  const { system, messages, tools, toolChoice, maxOutputTokens, temperature, format, options = {} } = request;
  const asked = request.model ?? model;
  const isWelcome = ({ native }: AssistantMessage) =>
    native?.provider === name &&
    native.model === asked &&
    !reasoningIds(native.data).some((id) => refusals.items.has(id));
  return {
    model: asked,
    ...(system !== "" ? { instructions: system } : {}),
    input: messages.flatMap((message) => toInput(message, isWelcome)),
    ...(tools?.length ? { tools: tools.map(toTool) } : {}),
    ...(tools?.length && toolChoice !== undefined ? { tool_choice: toToolChoice(toolChoice) } : {}),
    ...(maxOutputTokens !== undefined ? { max_output_tokens: maxOutputTokens } : {}),
    ...(temperature !== undefined ? { temperature } : {}),
    store: false,
    ...(refusals.models.has(asked) ? {} : { include: ["reasoning.encrypted_content"] }),
    ...options,
    // Beside the format stand other fields, such as the verbosity.
    ...(format ? { text: { format: toTextFormat(format), ...asObject(options.text) } } : {}),
    stream: true,
  };
}

function toInput(message: ModelMessage, isWelcome: (message: AssistantMessage) => boolean): InputItem[] {
  switch (message.role) {
    case "user":
      return [{ role: "user", content: message.content }];
    case "assistant": {
      const items = isWelcome(message) ? replayItems(message) : undefined;
      // They are what the server has sent, of which the types know only a part.
      return items ? (items as unknown as InputItem[]) : [...said(message), ...called(message)];
    }
    case "tool":
      return message.results.map(({ id, content, failed }) => ({
        type: "function_call_output",
        call_id: id,
        // The wire has no other place to say it.
        output: failed ? `Error: ${content}` : content,
      }));
  }
}

function said({ content }: AssistantMessage): InputItem[] {
  return content === "" ? [] : [{ role: "assistant", content }];
}

function called({ calls = [] }: AssistantMessage): InputItem[] {
  return calls.map(({ id, name, args }) => ({
    type: "function_call",
    call_id: id,
    name,
    arguments: JSON.stringify(args),
  }));
}

/** Without `strict: false` the server would make every optional argument a required one. */
function toTool({ name, description, parameters }: ToolSpec): OpenAI.Responses.FunctionTool {
  return { type: "function", name, description, parameters, strict: false };
}

function toToolChoice(choice: NonNullable<ModelRequest["toolChoice"]>): NonNullable<Body["tool_choice"]> {
  return typeof choice === "string" ? choice : { type: "function", name: choice.name };
}

function toTextFormat(
  schema: NonNullable<ModelRequest["format"]>,
): OpenAI.Responses.ResponseFormatTextJSONSchemaConfig {
  return { type: "json_schema", name: "answer", schema, strict: true };
}

function asObject(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

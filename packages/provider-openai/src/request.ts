import type { ModelMessage, ToolSpec } from "@cogency/protocol";
import type { ModelRequest } from "@cogency/provider";
import type OpenAI from "openai";

type Body = OpenAI.ChatCompletionCreateParamsStreaming;
type Message = OpenAI.ChatCompletionMessageParam;

export interface RequestDefaults {
  model: string;
  /** OpenAI's own models refuse `max_tokens`; many other servers know nothing else. */
  limitField: "max_completion_tokens" | "max_tokens";
}

/**
 * The body of a Chat Completions request. Messages are mapped one to one, so that a request which extends an earlier
 * one extends its bytes too and the server's prompt cache is hit. `request.options` are laid over everything else,
 * but the answer is always a stream that ends with usage.
 */
export function toChatRequest(request: ModelRequest, { model, limitField }: RequestDefaults): Body {
  const { system, messages, tools, toolChoice, stop, maxOutputTokens, temperature, format, options = {} } = request;
  return {
    model: request.model ?? model,
    messages: [...systemMessage(system), ...messages.flatMap(toMessages)],
    ...(tools?.length ? { tools: tools.map(toTool) } : {}),
    ...(tools?.length && toolChoice !== undefined ? { tool_choice: toToolChoice(toolChoice) } : {}),
    ...(stop?.length ? { stop: [...stop] } : {}),
    ...(maxOutputTokens !== undefined ? { [limitField]: maxOutputTokens } : {}),
    ...(temperature !== undefined ? { temperature } : {}),
    ...(format ? { response_format: toResponseFormat(format) } : {}),
    ...options,
    stream: true,
    stream_options: { ...asObject(options.stream_options), include_usage: true },
  };
}

function systemMessage(system: string): Message[] {
  return system === "" ? [] : [{ role: "system", content: system }];
}

function toMessages(message: ModelMessage): Message[] {
  switch (message.role) {
    case "user":
      return [{ role: "user", content: message.content }];
    case "assistant":
      return [toAssistantMessage(message)];
    case "tool":
      return message.results.map(({ id, content }) => ({ role: "tool", tool_call_id: id, content }));
  }
}

function toAssistantMessage({ content, calls }: ModelMessage & { role: "assistant" }): Message {
  if (!calls?.length) return { role: "assistant", content };
  return {
    role: "assistant",
    content: content === "" ? null : content,
    tool_calls: calls.map(({ id, name, args }) => ({
      id,
      type: "function",
      function: { name, arguments: JSON.stringify(args) },
    })),
  };
}

function toTool({ name, description, parameters }: ToolSpec): OpenAI.ChatCompletionTool {
  return { type: "function", function: { name, description, parameters } };
}

function toToolChoice(choice: NonNullable<ModelRequest["toolChoice"]>): OpenAI.ChatCompletionToolChoiceOption {
  return typeof choice === "string" ? choice : { type: "function", function: { name: choice.name } };
}

function toResponseFormat(schema: NonNullable<ModelRequest["format"]>): OpenAI.ResponseFormatJSONSchema {
  return { type: "json_schema", json_schema: { name: "answer", schema, strict: true } };
}

function asObject(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

import type { AssistantMessage, ModelMessage, ToolSpec } from "@cogency/protocol";
import type { ModelRequest } from "@cogency/provider";
import type OpenAI from "openai";
import type { Endpoint } from "../endpoint.ts";
import { type NativeBlocks, nativeBlocks } from "./native-blocks.ts";
import { noQuirks, type Quirks } from "./quirks.ts";

export type ChatBody = OpenAI.ChatCompletionCreateParamsStreaming;
/** With what other servers have added to it. */
type Message = OpenAI.ChatCompletionMessageParam & NativeBlocks;

/**
 * The body of a Chat Completions request. Messages are mapped one to one, so that a request which extends an earlier
 * one extends its bytes too and the server's prompt cache is hit. `request.options` are laid over everything else,
 * but the answer is always a stream that ends with usage, as far as the server can.
 */
export function toChatRequest(
  request: ModelRequest,
  { name, model: defaultModel, flavor }: Pick<Endpoint, "name" | "model" | "flavor">,
  quirks: Quirks = noQuirks,
): ChatBody {
  const { system, messages, tools, toolChoice, stop, maxOutputTokens, temperature, format, options = {} } = request;
  const model = request.model ?? defaultModel;
  const server: Server = { name, model, echoReasoning: flavor.echoReasoning || quirks.demandsReasoning };
  const body: ChatBody = {
    model,
    messages: [...systemMessage(system), ...messages.flatMap((message) => toMessages(message, server))],
    ...(tools?.length ? { tools: tools.map(toTool) } : {}),
    ...(tools?.length && toolChoice !== undefined ? { tool_choice: toToolChoice(toolChoice) } : {}),
    ...(stop?.length ? { stop: [...stop] } : {}),
    ...(maxOutputTokens !== undefined ? { [flavor.limitField]: maxOutputTokens } : {}),
    ...(temperature !== undefined ? { temperature } : {}),
    ...(format ? { response_format: toResponseFormat(format) } : {}),
    ...options,
    stream: true,
    stream_options: { ...asObject(options.stream_options), include_usage: true },
  };
  if (quirks.refusesStop) delete body.stop;
  if (quirks.refusesStreamOptions) delete body.stream_options;
  return body;
}

interface Server {
  name: string;
  model: string;
  echoReasoning: boolean;
}

function systemMessage(system: string): Message[] {
  return system === "" ? [] : [{ role: "system", content: system }];
}

function toMessages(message: ModelMessage, server: Server): Message[] {
  switch (message.role) {
    case "user":
      return [{ role: "user", content: message.content }];
    case "assistant":
      return [toAssistantMessage(message, server)];
    case "tool":
      return message.results.map(({ id, content }) => ({ role: "tool", tool_call_id: id, content }));
  }
}

function toAssistantMessage(message: AssistantMessage, server: Server): Message {
  const { content, calls = [] } = message;
  const { reasoning_content: reasoning = "", reasoning_details: details } = nativeBlocks(message, server);
  return {
    role: "assistant",
    content: content === "" && calls.length > 0 ? null : content,
    ...(server.echoReasoning ? { reasoning_content: reasoning } : {}),
    ...(details ? { reasoning_details: details } : {}),
    ...(calls.length > 0 ? { tool_calls: calls.map(toToolCall) } : {}),
  };
}

function toToolCall({
  id,
  name,
  args,
}: NonNullable<AssistantMessage["calls"]>[number]): OpenAI.ChatCompletionMessageFunctionToolCall {
  return { id, type: "function", function: { name, arguments: JSON.stringify(args) } };
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

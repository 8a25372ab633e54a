import type { AssistantMessage, JsonObject, ModelMessage, ToolMessage, UserMessage } from "@cogency/protocol";
import { attachmentsOf, type ModelRequest } from "@cogency/provider";
import { alternating } from "@cogency/provider/http";
import type OpenAI from "openai";
import { toChatPart } from "../attachments.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { type Format, formatOf, type OfferedTools, offeredTools } from "../format.ts";
import { asObject } from "../wire-values.ts";
import { type NativeFields, replay } from "./native.ts";
import { type ModelRefusals, noRefusals } from "./refusals.ts";
import type { ChatBody } from "./wire.ts";

/** With the fields that other servers have added to the wire. */
type Message = OpenAI.ChatCompletionMessageParam & Omit<NativeFields, "extra_content">;

/**
 * The body of a Chat Completions request. Messages are mapped one to one, or by `alternating`, so that a request which
 * extends an earlier one extends its bytes too and the server's prompt cache is hit. `request.options` override every other
 * field, except that the answer is always a stream, with usage unless the server refuses that.
 */
export function toChatRequest(
  request: ModelRequest,
  { name, model: defaultModel, flavor }: Pick<Endpoint, "name" | "model" | "flavor">,
  refusals: ModelRefusals = noRefusals,
): ChatBody {
  const { system, stop, maxOutputTokens, temperature, options = {} } = request;
  const { tools, choice } = offeredTools(request, flavor);
  const format = formatOf(request, flavor);
  const messages = request.messages.flatMap(withAttachmentsApart);
  const turns = flavor.alternatesRoles ? alternating(messages) : messages;
  const model = request.model ?? defaultModel;
  const server: Server = { name, model, echoReasoning: flavor.echoReasoning || refusals.demandsReasoning };
  const limitField = refusals.refusesMaxTokens ? "max_completion_tokens" : flavor.limitField;
  const body: ChatBody = {
    model,
    messages: [
      ...(refusals.refusesSystem ? [] : systemMessage(system)),
      ...(refusals.refusesSystem ? withSystem(system, turns) : turns).flatMap((message) => toMessages(message, server)),
    ],
    ...(tools.length > 0 ? { tools: tools.map(toTool) } : {}),
    ...(tools.length > 0 && choice !== undefined ? { tool_choice: toToolChoice(choice) } : {}),
    ...(stop?.length ? { stop: [...stop] } : {}),
    ...(maxOutputTokens !== undefined ? { [limitField]: maxOutputTokens } : {}),
    ...(temperature !== undefined ? { temperature } : {}),
    ...(format ? { response_format: toResponseFormat(format) } : {}),
    ...options,
    stream: true,
    stream_options: { ...asObject(options.stream_options), include_usage: true },
  };
  if (refusals.refusesStop) delete body.stop;
  if (refusals.refusesStreamOptions) delete body.stream_options;
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

/** The system prompt at the beginning of the first message, which is one of the user. */
function withSystem(system: string, messages: readonly ModelMessage[]): ModelMessage[] {
  if (system === "") return [...messages];
  return alternating([{ role: "user", content: system }, ...messages]);
}

function toMessages(message: ModelMessage, server: Server): Message[] {
  switch (message.role) {
    case "user":
      return [toUserMessage(message.content)];
    case "assistant":
      return [toAssistantMessage(message, server)];
    case "tool":
      return message.results.map(toToolMessage);
  }
}

function toUserMessage(content: UserMessage["content"]): Message {
  return { role: "user", content: typeof content === "string" ? content : content.map(toChatPart) };
}

function toToolMessage({ id, content, failed }: ToolMessage["results"][number]): Message {
  // The wire has no field for a failed call.
  return { role: "tool", tool_call_id: id, content: failed ? `Error: ${content}` : content };
}

/** A result of this wire is text, so that a message of the user brings the attachments of results. */
function withAttachmentsApart(message: ModelMessage): ModelMessage[] {
  const attachments = message.role === "tool" ? attachmentsOf(message) : [];
  if (attachments.length === 0) return [message];
  return [message, { role: "user", content: [{ kind: "text", text: attached }, ...attachments] }];
}

const attached = "(What the tools have attached to their results, in call order.)";

function toAssistantMessage(message: AssistantMessage, server: Server): Message {
  const { content, calls = [] } = message;
  const native = replay(message, server);
  const { reasoning_content: reasoning = "", reasoning_details: details } = native;
  // Matched by position: the log may know the calls by other ids than the server does.
  const extras = native.extra_content?.length === calls.length ? native.extra_content : [];
  return {
    role: "assistant",
    content: content === "" && calls.length > 0 ? null : content,
    ...(server.echoReasoning ? { reasoning_content: reasoning } : {}),
    ...(details ? { reasoning_details: details } : {}),
    ...(calls.length > 0 ? { tool_calls: calls.map((call, position) => toToolCall(call, extras[position])) } : {}),
  };
}

function toToolCall(
  { id, name, args }: NonNullable<AssistantMessage["calls"]>[number],
  extra: JsonObject | null | undefined,
): OpenAI.ChatCompletionMessageFunctionToolCall & { extra_content?: JsonObject } {
  const call = { name, arguments: JSON.stringify(args) };
  return { id, type: "function", function: call, ...(extra ? { extra_content: extra } : {}) };
}

function toTool(tool: OfferedTools["tools"][number]): OpenAI.ChatCompletionTool {
  return { type: "function", function: tool };
}

function toToolChoice(choice: NonNullable<ModelRequest["toolChoice"]>): OpenAI.ChatCompletionToolChoiceOption {
  return typeof choice === "string" ? choice : { type: "function", function: { name: choice.name } };
}

function toResponseFormat(format: Format): OpenAI.ResponseFormatJSONSchema | OpenAI.ResponseFormatJSONObject {
  if (format.type === "json_object") return format;
  const { schema, strict } = format;
  return { type: "json_schema", json_schema: { name: "answer", schema, strict } };
}

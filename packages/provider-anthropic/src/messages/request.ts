import type Anthropic from "@anthropic-ai/sdk";
import type {
  AssistantMessage,
  JsonObject,
  MessagePart,
  ModelMessage,
  ToolMessage,
  ToolSpec,
  UserMessage,
} from "@cogency/protocol";
import type { ModelRequest } from "@cogency/provider";
import { beginning, goOn, isObject, parametersFor, schemaFor } from "@cogency/provider/http";
import type { RequestDefaults } from "../endpoint.ts";
import { toAttachedBlock } from "./attachments.ts";
import { asContent, replay } from "./native.ts";
import { type BlockMessage, markLastBlocks } from "./prompt-cache.ts";
import { schemaRules } from "./schema-rules.ts";
import { settleThinking } from "./thinking.ts";

type Body = Anthropic.MessageCreateParamsStreaming;
type Block = Anthropic.ContentBlockParam;
type Setting = Anthropic.ThinkingConfigParam;

/**
 * The body of a Messages request. Adjacent messages of one role become one message, results first, so that roles
 * alternate. A request that extends an earlier one extends its bytes too, except for the cache marks, so that the server's
 * prompt cache is hit. `request.options` override every other field, except that the answer is always a stream.
 */
export function toMessagesRequest(request: ModelRequest, defaults: RequestDefaults): Body {
  const { system, tools = [], toolChoice, maxOutputTokens, temperature, format } = request;
  const { thinking: own, ...options } = request.options ?? {};
  const { cacheControl, takesTemperature } = defaults;
  const model = request.model ?? defaults.model;
  const stop = request.stop?.filter((sequence) => sequence.trim() !== "") ?? [];
  const mark = cacheControl ? { cache_control: cacheControl } : {};
  const configured = isObject(own) ? (own as unknown as Setting) : defaults.thinking;
  const { thinking, messages } = settleThinking(configured, toMessages(request.messages, model));
  const hasSystem = system.trim() !== "";
  return {
    model,
    max_tokens: maxOutputTokens ?? defaults.maxOutputTokens ?? defaultLimit(configured),
    ...(thinking ? { thinking } : {}),
    // The cached part begins with the tools; a mark after the system text includes them.
    ...(tools.length > 0
      ? { tools: tools.map((tool, index) => toTool(tool, hasSystem || index < tools.length - 1 ? {} : mark)) }
      : {}),
    ...(tools.length > 0 && toolChoice !== undefined ? { tool_choice: toToolChoice(toolChoice) } : {}),
    ...(hasSystem ? { system: [{ type: "text", text: system, ...mark }] } : {}),
    ...(stop.length > 0 ? { stop_sequences: stop } : {}),
    ...(takesTemperature && temperature !== undefined ? { temperature } : {}),
    messages: cacheControl ? markLastBlocks(messages, cacheControl) : messages,
    ...options,
    ...outputConfig(format, options.output_config),
    stream: true,
  };
}

/** The request that continues a paused answer, in the container where the server's tools have worked so far. */
export function toContinuation(first: Body, content: readonly JsonObject[], container: string | undefined): Body {
  const { messages, container: own } = first;
  return {
    ...first,
    messages: [...messages, { role: "assistant", content: asContent(content) }],
    ...(container ? { container: isObject(own) ? { ...own, id: container } : container } : {}),
  };
}

/** The budget for thinking counts as output and must be less than the limit. */
function defaultLimit(thinking: Setting | undefined): number {
  return 32_000 + (thinking?.type === "enabled" ? thinking.budget_tokens : 0);
}

function toTool(
  { name, description, parameters }: ToolSpec,
  mark: Pick<Anthropic.Tool, "cache_control">,
): Anthropic.Tool {
  return { name, description, input_schema: { type: "object", ...parametersFor(parameters, schemaRules) }, ...mark };
}

function toToolChoice(choice: NonNullable<ModelRequest["toolChoice"]>): Anthropic.ToolChoice {
  if (typeof choice !== "string") return { type: "tool", name: choice.name };
  return { type: choice === "required" ? "any" : choice };
}

/** The server holds the model to every schema that it gets, so that one without a form by its rules is not sent. */
function outputConfig(format: ModelRequest["format"], own: unknown): Pick<Body, "output_config"> {
  const { schema, isStrict } = format ? schemaFor(format, schemaRules) : { schema: {}, isStrict: false };
  if (!isStrict) return {};
  return { output_config: { format: { type: "json_schema", schema: { ...schema } }, ...(isObject(own) ? own : {}) } };
}

function toMessages(messages: readonly ModelMessage[], model: string): BlockMessage[] {
  const merged: BlockMessage[] = [];
  for (const message of messages) {
    const role = message.role === "assistant" ? "assistant" : "user";
    const content = toBlocks(message, model);
    if (content.length === 0) continue;
    // The server demands that the user begins; a transcript without its first messages may begin otherwise.
    if (merged.length === 0 && role === "assistant") merged.push({ role: "user", content: [text(beginning)] });
    const last = merged.at(-1);
    if (last?.role === role) last.content.push(...content);
    else merged.push({ role, content });
  }
  // "This model does not support assistant message prefill. The conversation must end with a user message."
  if (merged.at(-1)?.role === "assistant") merged.push({ role: "user", content: [text(goOn)] });
  return merged.map(({ role, content }) => ({ role, content: role === "user" ? resultsFirst(content) : content }));
}

function toBlocks(message: ModelMessage, model: string): Block[] {
  switch (message.role) {
    case "user":
      // The server refuses empty text, and without any block the roles would not alternate.
      return toUserBlocks(message);
    case "assistant":
      return toAssistantBlocks(message, model);
    case "tool":
      return message.results.map(toResult);
  }
}

function toUserBlocks({ content }: UserMessage): Block[] {
  const parts: readonly MessagePart[] = typeof content === "string" ? [{ kind: "text", text: content }] : content;
  const blocks = parts.flatMap((part): Block[] => {
    if (part.kind !== "text") return [toAttachedBlock(part)];
    return part.text.trim() === "" ? [] : [text(part.text)];
  });
  return blocks.length > 0 ? blocks : [text(emptyMessage)];
}

const emptyMessage = "(empty message)";

function toAssistantBlocks(message: AssistantMessage, model: string): Block[] {
  const { content, calls = [] } = message;
  const native = replay(message, model);
  if (native) return native;
  return [
    ...(content.trim() === "" ? [] : [text(content)]),
    ...calls.map(({ id, name, args }): Block => ({ type: "tool_use", id, name, input: args })),
  ];
}

function toResult({
  id,
  content,
  failed,
  attachments = [],
}: ToolMessage["results"][number]): Anthropic.ToolResultBlockParam {
  const said = content.trim() === "" ? [] : [text(content)];
  const blocks = [...said, ...attachments.map(toAttachedBlock)];
  return {
    type: "tool_result",
    tool_use_id: id,
    ...(blocks.length === 0 ? {} : { content: attachments.length === 0 ? content : blocks }),
    ...(failed ? { is_error: true } : {}),
  };
}

function text(content: string): Anthropic.TextBlockParam {
  return { type: "text", text: content };
}

/** The server refuses a result that comes after another block. */
function resultsFirst(content: readonly Block[]): Block[] {
  const isResult = ({ type }: Block) => type === "tool_result";
  return [...content.filter(isResult), ...content.filter((block) => !isResult(block))];
}

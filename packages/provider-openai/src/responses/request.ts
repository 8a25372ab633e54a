import type { AssistantMessage, ModelMessage, UserMessage } from "@cogency/protocol";
import type { ModelRequest } from "@cogency/provider";
import { alternating } from "@cogency/provider/http";
import type OpenAI from "openai";
import { toResponsesPart } from "../attachments.ts";
import type { Flavor } from "../flavor.ts";
import { type Format, formatOf, type OfferedTools, offeredTools } from "../format.ts";
import { asObject } from "../wire-values.ts";
import { replay } from "./native.ts";
import type { Refusals } from "./refusals.ts";

type Body = OpenAI.Responses.ResponseCreateParamsStreaming;
type InputItem = OpenAI.Responses.ResponseInputItem;

interface RequestDefaults {
  /** The provider's name. Only native items with this name are sent back. */
  name: string;
  model: string;
  flavor: Flavor;
  refusals: Refusals;
}

/**
 * The body of a Responses request. The server is told to store nothing, because the log is the memory. Messages are
 * mapped one by one, so that a request which extends an earlier one extends its input too and the server's prompt cache is
 * hit. `request.options` override every other field, except that the answer is always a stream.
 *
 * The wire has no stop sequences: `request.stop` is ignored.
 */
export function toResponsesRequest(request: ModelRequest, { name, model, flavor, refusals }: RequestDefaults): Body {
  const { system, messages, maxOutputTokens, temperature, options = {} } = request;
  const { tools, choice } = offeredTools(request, flavor);
  const format = formatOf(request, flavor);
  const turns = flavor.alternatesRoles ? alternating(messages) : messages;
  const server = { name, model: request.model ?? model, refusals };
  return {
    model: server.model,
    ...(system !== "" ? { instructions: system } : {}),
    input: turns.flatMap((message) => toInput(message, server)),
    ...(tools.length > 0 ? { tools: tools.map(toTool) } : {}),
    ...(tools.length > 0 && choice !== undefined ? { tool_choice: toToolChoice(choice) } : {}),
    ...(maxOutputTokens !== undefined ? { max_output_tokens: maxOutputTokens } : {}),
    ...(temperature !== undefined ? { temperature } : {}),
    store: false,
    ...(refusals.models.has(server.model) ? {} : { include: ["reasoning.encrypted_content"] }),
    ...options,
    // `text` holds other fields beside the format, such as the verbosity.
    ...(format ? { text: { format: toTextFormat(format), ...asObject(options.text) } } : {}),
    stream: true,
  };
}

type Server = Omit<RequestDefaults, "flavor">;

function toInput(message: ModelMessage, server: Server): InputItem[] {
  switch (message.role) {
    case "user":
      return [{ role: "user", content: toContent(message.content) }];
    case "assistant": {
      const items = replay(message, server);
      // The server sent these items; the SDK's types know only some of them.
      return items ? (items as unknown as InputItem[]) : [...toMessageItems(message), ...toCallItems(message)];
    }
    case "tool":
      return message.results.map(({ id, content, failed, attachments = [] }) => {
        // The wire has no field for a failed call.
        const text = failed ? `Error: ${content}` : content;
        const output = attachments.length === 0 ? text : [{ kind: "text" as const, text }, ...attachments];
        return { type: "function_call_output", call_id: id, output: toContent(output) };
      });
  }
}

function toContent(content: UserMessage["content"]) {
  return typeof content === "string" ? content : content.map(toResponsesPart);
}

function toMessageItems({ content }: AssistantMessage): InputItem[] {
  return content === "" ? [] : [{ role: "assistant", content }];
}

function toCallItems({ calls = [] }: AssistantMessage): InputItem[] {
  return calls.map(({ id, name, args }) => ({
    type: "function_call",
    call_id: id,
    name,
    arguments: JSON.stringify(args),
  }));
}

/** Without `strict: false` the server would make every optional argument required. */
function toTool(tool: OfferedTools["tools"][number]): OpenAI.Responses.FunctionTool {
  return { type: "function", ...tool, strict: false };
}

function toToolChoice(choice: NonNullable<ModelRequest["toolChoice"]>): NonNullable<Body["tool_choice"]> {
  return typeof choice === "string" ? choice : { type: "function", name: choice.name };
}

function toTextFormat(format: Format): OpenAI.Responses.ResponseFormatTextConfig {
  return format.type === "json_object" ? format : { ...format, name: "answer" };
}

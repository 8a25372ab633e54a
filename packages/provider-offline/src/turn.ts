import {
  type AgentEvent,
  type AssistantMessage,
  callOf,
  type Dialect,
  type MessageForm,
  type ModelMessage,
  parseResults,
  parseSync,
  type ToolCall,
  type ToolMessage,
  type ToolResult,
} from "@cogency/protocol";
import { CONTINUE } from "@cogency/protocol/host";
import { contentText } from "@cogency/provider";
import { actionsIn, answerIn, observationIn } from "./forms/react.ts";

/** The last request of the person, and the events since then that the messages show. */
export interface Turn {
  request: string;
  /** The results, each with the calls of the message before it. */
  batches: { calls: ToolCall[]; results: ToolResult[] }[];
  /** The text of the model since the last results. */
  modelText: string;
}

export function readTurn(messages: readonly ModelMessage[], form: MessageForm): Turn {
  const start = messages.findLastIndex((_, index) => isRequest(messages, index, form));
  const turn: Turn = { request: asWritten(userText(messages[start])), batches: [], modelText: "" };
  for (let index = start + 1; index < messages.length; index++) {
    const batch = batchAt(messages, index, form);
    if (batch) {
      turn.batches.push(batch);
      turn.modelText = "";
    } else if (messages[index]?.role === "assistant") {
      turn.modelText = textIn(messages[index], form);
    }
  }
  return turn;
}

/** The message about a refused block: one failure without a tool. */
export function refusalIn(results: readonly ToolResult[]): string | undefined {
  const [first] = results;
  return first?.tool === "execute" && first.status === "failure" ? String(first.content) : undefined;
}

/** Notices from outside in the middle of a turn are no request: the one of the person still holds. */
function isRequest(messages: readonly ModelMessage[], index: number, form: MessageForm): boolean {
  const message = messages[index];
  if (message?.role !== "user" || userText(message).trim() === CONTINUE) return false;
  if (isOutside(userText(message)) && index > 0 && messages[index - 1]?.role !== "assistant") return false;
  return batchAt(messages, index, form) === undefined;
}

/** How the runtime begins the text of notices from outside. */
export function isOutside(text: string): boolean {
  return /^(?:A notice|Notices) from outside[.,]/.test(text);
}

/**
 * The results in a message. They come directly after the calls that they belong to, or report a refused block, which is not
 * among the messages. Anywhere else, text that looks like results is text of the person.
 */
function batchAt(
  messages: readonly ModelMessage[],
  index: number,
  form: MessageForm,
): Turn["batches"][number] | undefined {
  const message = messages[index];
  if (message?.role === "tool")
    return { calls: callsIn(messages[index - 1], form), results: message.results.map(toResult) };
  const text = userText(message);
  const refusal = refused.exec(text)?.[1];
  if (refusal !== undefined && form === "native") return refusedBatch(refusal);
  if (form === "react") return observed(messages, index);
  const results = text.startsWith("<results>") ? parseResults(text) : null;
  if (!results) return undefined;
  const calls = callsIn(messages[index - 1], form);
  return calls.length > 0 || refusalIn(results) !== undefined ? { calls, results } : undefined;
}

function toResult({ name, failed, content }: ToolMessage["results"][number]): ToolResult {
  return { tool: name, status: failed ? "failure" : "success", content };
}

/** An observation, whose call is as far behind the last message of the model as it. */
function observed(messages: readonly ModelMessage[], index: number): Turn["batches"][number] | undefined {
  const observation = observationIn(userText(messages[index]));
  if (!observation) return undefined;
  const asked = messages.findLastIndex(({ role }, at) => at < index && role === "assistant");
  const call = callsIn(messages[asked], "react")[index - asked - 1];
  return call && { calls: [call], results: [{ tool: call.name, ...observation }] };
}

function refusedBatch(content: string): Turn["batches"][number] {
  return { calls: [], results: [{ tool: "execute", status: "failure", content }] };
}

/** How the native form tells that calls were refused. */
const refused = /^Your tool calls were refused, and none of them was run: (.*)$/s;

function userText(message: ModelMessage | undefined): string {
  return message?.role === "user" ? contentText(message.content) : "";
}

/** The text as the person wrote it: in a request, a `<` that began a marker is escaped as `\u003c`. */
function asWritten(text: string): string {
  return text.replace(/\\u003c(?=\/?(?:think|execute|results|end)>)/gi, "<");
}

function callsIn(message: ModelMessage | undefined, form: MessageForm): ToolCall[] {
  if (message?.role !== "assistant") return [];
  if (form === "native") return [...(message.calls ?? [])];
  if (form === "react") return actionsIn(message.content);
  return eventsIn(message, form).flatMap((event) => (event.type === "call" ? [callOf(event)] : []));
}

function textIn(message: ModelMessage | undefined, form: MessageForm): string {
  if (message?.role !== "assistant") return "";
  if (form === "native") return message.content;
  if (form === "react") return answerIn(message.content);
  return eventsIn(message, form)
    .flatMap((event) => (event.type === "respond" ? [event.content] : []))
    .join("\n\n");
}

function eventsIn({ content }: AssistantMessage, dialect: Dialect): AgentEvent[] {
  return parseSync(content, { dialect });
}

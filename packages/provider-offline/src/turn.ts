import {
  type AgentEvent,
  CONTINUE,
  callOf,
  type ModelMessage,
  parseResults,
  parseSync,
  type ToolCall,
  type ToolResult,
} from "@cogency/protocol";
import { contentText } from "@cogency/provider";

/** The last request of the person, and the events since then that the messages show. */
export interface Turn {
  request: string;
  /** The results, each with the calls of the message before it. */
  batches: { calls: ToolCall[]; results: ToolResult[] }[];
  /** The text of the model since the last results. */
  modelText: string;
}

export function readTurn(messages: readonly ModelMessage[]): Turn {
  const start = messages.findLastIndex((_, index) => isRequest(messages, index));
  const turn: Turn = { request: asWritten(userText(messages[start])), batches: [], modelText: "" };
  for (let index = start + 1; index < messages.length; index++) {
    const batch = batchAt(messages, index);
    if (batch) {
      turn.batches.push(batch);
      turn.modelText = "";
    } else if (messages[index]?.role === "assistant") {
      turn.modelText = textIn(messages[index]);
    }
  }
  return turn;
}

/** The message about a refused block: one failure without a tool. */
export function refusalIn(results: readonly ToolResult[]): string | undefined {
  const [first] = results;
  return first?.tool === "execute" && first.status === "failure" ? String(first.content) : undefined;
}

function isRequest(messages: readonly ModelMessage[], index: number): boolean {
  const message = messages[index];
  return message?.role === "user" && userText(message).trim() !== CONTINUE && batchAt(messages, index) === undefined;
}

/**
 * The results in a message. They come directly after the calls that they belong to, or report a refused block, which is not
 * among the messages. Anywhere else, text that looks like results is text of the person.
 */
function batchAt(messages: readonly ModelMessage[], index: number): Turn["batches"][number] | undefined {
  const text = userText(messages[index]);
  const results = text.startsWith("<results>") ? parseResults(text) : null;
  if (!results) return undefined;
  const calls = callsIn(messages[index - 1]);
  return calls.length > 0 || refusalIn(results) !== undefined ? { calls, results } : undefined;
}

function userText(message: ModelMessage | undefined): string {
  return message?.role === "user" ? contentText(message.content) : "";
}

/** The text as the person wrote it: in a request, a `<` that began a marker is escaped as `\u003c`. */
function asWritten(text: string): string {
  return text.replace(/\\u003c(?=\/?(?:think|execute|results|end)>)/gi, "<");
}

function callsIn(message: ModelMessage | undefined): ToolCall[] {
  return eventsIn(message).flatMap((event) => (event.type === "call" ? [callOf(event)] : []));
}

function textIn(message: ModelMessage | undefined): string {
  return eventsIn(message)
    .flatMap((event) => (event.type === "respond" ? [event.content] : []))
    .join("\n\n");
}

function eventsIn(message: ModelMessage | undefined): AgentEvent[] {
  return message?.role === "assistant" ? parseSync(message.content) : [];
}

import type { FinishReason, JsonObject, Usage } from "@cogency/protocol";
import { estimateUsage, type ModelEvent, type ModelRequest } from "@cogency/provider";
import { addCall, type PendingCall, wholeCalls } from "./calls.ts";
import { beginThinking, endThinking, readContent, type Thinking } from "./leading-thinking.ts";
import { addDetails, nativeOf } from "./native.ts";
import { toUsage } from "./usage.ts";
import type { Choice, Chunk, Delta } from "./wire.ts";

/** The part of one answer that has been received. */
export interface State {
  readonly text: string;
  /** The content as it came: the text, and the thinking that the server left in it. */
  readonly content: string;
  readonly thinking: Thinking;
  readonly reasoning: string;
  /** The reasoning came as `reasoning_content`, which some servers want back. */
  readonly hasReasoningContent: boolean;
  readonly details: readonly JsonObject[];
  readonly calls: readonly PendingCall[];
  readonly usage: Usage | undefined;
  /** The server's own word; the answer is complete once it is there. */
  readonly finish: string | undefined;
}

export const initialState: State = {
  text: "",
  content: "",
  thinking: beginThinking("none"),
  reasoning: "",
  hasReasoningContent: false,
  details: [],
  calls: [],
  usage: undefined,
  finish: undefined,
};

/** Adds one chunk. Whole tool calls, usage and the finish come from {@link conclude}, after the stream has ended. */
export function reduce(state: State, chunk: Chunk): [State, ModelEvent[]] {
  const choice = chunk.choices?.find(({ index }) => !index);
  const reported = chunk.usage ?? choice?.usage;
  // A report without counts does not replace one with counts.
  const usage = reported && (state.usage === undefined || reported.prompt_tokens) ? toUsage(reported) : state.usage;
  const delta = choice && (choice.delta ?? unstreamed(choice, state));
  const finish = choice?.finish_reason || state.finish;
  if (!delta) return [{ ...state, usage, finish }, []];

  const events: ModelEvent[] = [];
  const separate = reasoningText(delta);
  const content = contentText(delta.content) + contentText(delta.refusal);
  const [thinking, read] = readContent(state.thinking, content);
  const reasoning = separate + read.reasoning;
  if (reasoning !== "") events.push({ type: "reasoning", text: reasoning });
  const { text } = read;
  if (text !== "") events.push({ type: "text", text });
  let { calls } = state;
  for (const piece of callsOf(delta)) {
    const [next, event] = addCall(calls, piece);
    calls = next;
    events.push(event);
  }
  return [
    {
      text: state.text + text,
      content: state.content + content,
      thinking,
      reasoning: state.reasoning + reasoning,
      hasReasoningContent: state.hasReasoningContent || (separate !== "" && Boolean(delta.reasoning_content)),
      details: Array.isArray(delta.reasoning_details)
        ? addDetails(state.details, delta.reasoning_details)
        : state.details,
      calls,
      usage,
      finish,
    },
    events,
  ];
}

/** The events that end the answer. */
export function conclude(state: State): ModelEvent[] {
  const { calls, usage, finish } = state;
  const native = nativeOf(state);
  const rest = endThinking(state.thinking);
  return [
    ...(rest.reasoning === "" ? [] : [{ type: "reasoning", text: rest.reasoning } as const]),
    ...(rest.text === "" ? [] : [{ type: "text", text: rest.text } as const]),
    ...wholeCalls(calls),
    ...(usage ? [{ type: "usage", usage } as const] : []),
    {
      type: "finish",
      reason: toFinishReason(finish, calls.length > 0),
      ...(finish ? { raw: finish } : {}),
      ...(native ? { native } : {}),
    },
  ];
}

/** The usage of an answer that was aborted. The server's counts may be older than the latest chunks. */
export function usageOfAborted(state: State, request: ModelRequest): Usage {
  const estimate = estimateUsage(request, generatedText(state));
  return state.usage ? { ...state.usage, output: Math.max(state.usage.output, estimate.output) } : estimate;
}

/** The text of the answer so far. */
export function textOf({ text }: State): string {
  return text;
}

/** Everything that the model has generated so far: text, reasoning and calls. */
export function generatedText({ text, reasoning, calls }: State): string {
  return reasoning + text + calls.map((call) => call.name + call.arguments.latest).join("");
}

/** The part of a whole answer that was not streamed before it. */
function unstreamed({ message }: Choice, { content: sent, reasoning, calls }: State): Delta | undefined {
  if (!message) return undefined;
  if (sent === "" && reasoning === "" && calls.length === 0) return message;
  const content = contentText(message.content);
  return {
    content: content.startsWith(sent) ? content.slice(sent.length) : "",
    reasoning_content: reasoning === "" ? message.reasoning_content : "",
    reasoning: reasoning === "" ? message.reasoning : "",
    tool_calls: calls.length === 0 ? (message.tool_calls ?? null) : null,
  };
}

/** OpenAI documents a string; some servers send a list of parts instead, of which those of type `text` have a text. */
function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => (typeof part?.text === "string" ? part.text : "")).join("");
}

/** Some servers send both fields; Mistral sends the reasoning among the parts of the content. */
function reasoningText(delta: Delta): string {
  const text = delta.reasoning_content || delta.reasoning;
  if (typeof text === "string" && text !== "") return text;
  if (!Array.isArray(delta.content)) return "";
  return delta.content.map((part) => (part?.type === "thinking" ? contentText(part.thinking) : "")).join("");
}

const none = [] as const;

function callsOf({ tool_calls: calls, function_call: called }: Delta): NonNullable<Delta["tool_calls"]> {
  if (calls?.length) return withIndexes(calls);
  return called ? [{ index: 0, function: called }] : none;
}

/** Where a server sends several calls side by side without an index, their places in the list stay the same from chunk to chunk. */
function withIndexes(calls: NonNullable<Delta["tool_calls"]>): NonNullable<Delta["tool_calls"]> {
  if (calls.length === 1 || calls.some(({ index }) => typeof index === "number")) return calls;
  return calls.map((call, index) => ({ ...call, index }));
}

function toFinishReason(raw: string | undefined, hasCalls: boolean): FinishReason {
  switch (raw) {
    case "length":
    case "content_filter":
    case "tool_calls":
      return raw;
    // Mistral's word for a full context window.
    case "model_length":
      return "length";
    // Some servers say `stop` also when the answer ends with calls.
    case "stop":
      return hasCalls ? "tool_calls" : "stop";
    case "function_call":
      return "tool_calls";
    default:
      return "other";
  }
}

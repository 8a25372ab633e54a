import type { FinishReason, JsonObject, Usage } from "@cogency/protocol";
import type { ModelEvent } from "@cogency/provider";
import { addCall, type PendingCall, wholeCalls } from "./calls.ts";
import { addDetails } from "./native.ts";
import { toUsage } from "./usage.ts";
import type { Choice, Chunk, Delta } from "./wire.ts";

/** What has been received of one answer. */
export interface State {
  readonly text: string;
  readonly reasoning: string;
  /** The reasoning came under the name that some servers want it back under. */
  readonly hasReasoningContent: boolean;
  readonly details: readonly JsonObject[];
  readonly calls: readonly PendingCall[];
  readonly usage: Usage | undefined;
  /** The server's own word; without one the answer is not complete. */
  readonly finish: string | undefined;
}

export const initialState: State = {
  text: "",
  reasoning: "",
  hasReasoningContent: false,
  details: [],
  calls: [],
  usage: undefined,
  finish: undefined,
};

/** Take in one chunk. Whole tool calls, usage and the finish come from {@link conclude}, when the stream has ended. */
export function reduce(state: State, chunk: Chunk): [State, ModelEvent[]] {
  const choice = chunk.choices?.find(({ index }) => !index);
  // Moonshot tells it with the choice.
  const told = chunk.usage ?? choice?.usage;
  // One that says nothing does not take back what was said.
  const usage = told && (state.usage === undefined || told.prompt_tokens) ? toUsage(told) : state.usage;
  const delta = choice && (choice.delta ?? unsaid(choice, state));
  const finish = choice?.finish_reason || state.finish;
  if (!delta) return [{ ...state, usage, finish }, []];

  const events: ModelEvent[] = [];
  const reasoning = reasoningText(delta);
  if (reasoning !== "") events.push({ type: "reasoning", text: reasoning });
  const text = contentText(delta.content) + contentText(delta.refusal);
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
      reasoning: state.reasoning + reasoning,
      hasReasoningContent: state.hasReasoningContent || (reasoning !== "" && Boolean(delta.reasoning_content)),
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
  return [
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

/** All that the model has generated so far, to estimate what it has cost. */
export function generatedText({ text, reasoning, calls }: State): string {
  return reasoning + text + calls.map((call) => call.name + call.arguments.latest).join("");
}

/** A whole answer, as far as it has not been streamed already. */
function unsaid({ message }: Choice, { text, reasoning, calls }: State): Delta | undefined {
  if (!message) return undefined;
  if (text === "" && reasoning === "" && calls.length === 0) return message;
  const content = contentText(message.content);
  return {
    content: content.startsWith(text) ? content.slice(text.length) : "",
    reasoning_content: reasoning === "" ? message.reasoning_content : "",
    reasoning: reasoning === "" ? message.reasoning : "",
    tool_calls: calls.length === 0 ? (message.tool_calls ?? null) : null,
  };
}

/** Documented is a string; some servers send a list of parts instead, of which those of the type `text` have a text. */
function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => (typeof part?.text === "string" ? part.text : "")).join("");
}

/** Some servers send both; Mistral sends it among the parts of the content. */
function reasoningText(delta: Delta): string {
  const text = delta.reasoning_content || delta.reasoning;
  if (typeof text === "string" && text !== "") return text;
  if (!Array.isArray(delta.content)) return "";
  return delta.content.map((part) => (part?.type === "thinking" ? contentText(part.thinking) : "")).join("");
}

const none = [] as const;

function callsOf({ tool_calls: calls, function_call: called }: Delta): NonNullable<Delta["tool_calls"]> {
  if (calls?.length) return calls;
  return called ? [{ index: 0, function: called }] : none;
}

/** As `nativeBlocks` reads it from the message of a later request. */
function nativeOf({ reasoning, hasReasoningContent, details, calls }: State): JsonObject | undefined {
  const hasExtra = calls.some(({ extra }) => extra !== undefined);
  if (!hasReasoningContent && details.length === 0 && !hasExtra) return undefined;
  return {
    ...(hasReasoningContent ? { reasoning_content: reasoning } : {}),
    ...(details.length > 0 ? { reasoning_details: [...details] } : {}),
    ...(hasExtra ? { extra_content: calls.map(({ extra }) => extra ?? null) } : {}),
  };
}

function toFinishReason(raw: string | undefined, hasCalls: boolean): FinishReason {
  switch (raw) {
    case "length":
    case "content_filter":
    case "tool_calls":
      return raw;
    // Mistral's word for the end of what the model can hold.
    case "model_length":
      return "length";
    // Servers say so, too, when the answer ends with calls.
    case "stop":
      return hasCalls ? "tool_calls" : "stop";
    case "function_call":
      return "tool_calls";
    default:
      return "other";
  }
}

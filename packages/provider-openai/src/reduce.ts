import type { FinishReason, Usage } from "@cogency/protocol";
import type { ModelEvent } from "@cogency/provider";
import type OpenAI from "openai";
import type { Chunk } from "./chunk.ts";

type Delta = OpenAI.ChatCompletionChunk.Choice.Delta;

/** What has been received of one answer. */
export interface State {
  readonly text: string;
  readonly calls: readonly PendingCall[];
  readonly usage?: Usage;
  /** The server's own word; without one the answer is not complete. */
  readonly finish?: string;
}

interface PendingCall {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

export const initialState: State = { text: "", calls: [] };

/** Take in one chunk. Whole tool calls, usage and the finish come from {@link conclude}, when the stream has ended. */
export function reduce(state: State, chunk: Chunk): [State, ModelEvent[]] {
  const choice = chunk.choices?.find(({ index }) => index === 0 || index === undefined);
  const { delta } = choice ?? {};
  const text = contentText(delta?.content) + (delta?.refusal ?? "");
  const deltas = delta?.tool_calls?.map(toCallDelta) ?? [];
  const usage = chunk.usage ? toUsage(chunk.usage) : state.usage;
  const finish = choice?.finish_reason || state.finish;
  return [
    {
      text: state.text + text,
      calls: deltas.reduce(withDelta, state.calls),
      ...(usage ? { usage } : {}),
      ...(finish ? { finish } : {}),
    },
    [...piece("reasoning", reasoningText(delta)), ...piece("text", text), ...deltas],
  ];
}

/** The events that end the answer. */
export function conclude({ calls, usage, finish }: State): ModelEvent[] {
  return [
    ...calls.map(({ id, name, arguments: text }): ModelEvent => ({ type: "tool_call", id, name, arguments: text })),
    ...(usage ? [{ type: "usage", usage } as const] : []),
    { type: "finish", reason: toFinishReason(finish), ...(finish ? { raw: finish } : {}) },
  ];
}

/** Documented is a string; some servers send a list of parts instead, of which those of the type `text` have a text. */
function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => (typeof part?.text === "string" ? part.text : "")).join("");
}

/** DeepSeek, vLLM and SGLang say `reasoning_content`, OpenRouter and Ollama `reasoning`; some send both. */
function reasoningText(delta: (Delta & { reasoning_content?: unknown; reasoning?: unknown }) | undefined): string {
  const text = delta?.reasoning_content || delta?.reasoning;
  return typeof text === "string" ? text : "";
}

function piece(type: "text" | "reasoning", text: string): ModelEvent[] {
  return text === "" ? [] : [{ type, text }];
}

type CallDelta = ModelEvent & { type: "tool_call_delta" };

function toCallDelta({ index, id, function: called }: OpenAI.ChatCompletionChunk.Choice.Delta.ToolCall): CallDelta {
  return {
    type: "tool_call_delta",
    index,
    ...(id ? { id } : {}),
    ...(called?.name ? { name: called.name } : {}),
    arguments: called?.arguments ?? "",
  };
}

function withDelta(calls: readonly PendingCall[], { index, id, name, arguments: text }: CallDelta): PendingCall[] {
  const known = calls.find((call) => call.index === index);
  if (!known) return [...calls, { index, id: id ?? "", name: name ?? "", arguments: text }];
  const grown = {
    index,
    id: known.id || (id ?? ""),
    name: known.name || (name ?? ""),
    arguments: known.arguments + text,
  };
  return calls.map((call) => (call === known ? grown : call));
}

/** OpenAI counts cached tokens as part of the prompt; ours are disjoint. Reasoning is part of the output in both. */
function toUsage(usage: OpenAI.CompletionUsage): Usage {
  const cacheRead = usage.prompt_tokens_details?.cached_tokens ?? 0;
  const cacheWrite = usage.prompt_tokens_details?.cache_write_tokens ?? 0;
  return {
    input: Math.max(0, (usage.prompt_tokens ?? 0) - cacheRead - cacheWrite),
    output: usage.completion_tokens ?? 0,
    cacheRead,
    cacheWrite,
    reasoning: usage.completion_tokens_details?.reasoning_tokens ?? 0,
  };
}

function toFinishReason(raw: string | undefined): FinishReason {
  switch (raw) {
    case "stop":
    case "length":
    case "tool_calls":
    case "content_filter":
      return raw;
    case "function_call":
      return "tool_calls";
    default:
      return "other";
  }
}

import type { FinishReason, JsonObject, Usage } from "@cogency/protocol";
import { estimateUsage, type ModelEvent, type ModelRequest, sumUsage, zeroUsage } from "@cogency/provider";
import { callId, isObject, numberOf, stringOf } from "@cogency/provider/http";
import { type Block, hasNoInput, inputText, newBlock } from "./blocks.ts";
import { nativeOf, wholeContent } from "./native.ts";
import { withUsage } from "./usage.ts";
import { isChunk } from "./wire.ts";

/** The part of one answer that has been received. An answer may come in several messages: see {@link resume}. */
export interface State {
  readonly blocks: readonly Block[];
  /** The position in the answer of the current message's first block. */
  readonly offset: number;
  /** The usage of the earlier messages. */
  readonly spent: Usage;
  /** The usage of the current message that the server has reported so far. */
  readonly usage?: Usage | undefined;
  /** The server's own word for why the message ended. */
  readonly stopReason?: string | undefined;
  /** The id of the container in which the server's tools work and leave their files. */
  readonly container?: string | undefined;
  /** The message is complete. */
  readonly isDone: boolean;
}

export const initialState: State = { blocks: [], offset: 0, spent: zeroUsage, isDone: false };

/** Adds one chunk. Whole tool calls, usage and the finish come from {@link conclude}, after the stream has ended. */
export function reduce(state: State, chunk: unknown): [State, ModelEvent[]] {
  if (!isChunk(chunk)) return [state, []];
  switch (chunk.type) {
    case "content_block_delta":
      return isObject(chunk.delta) ? reduceDelta(state, chunk.index, chunk.delta) : [state, []];
    case "content_block_start":
      return isObject(chunk.content_block) ? reduceStart(state, chunk.index, chunk.content_block) : [state, []];
    case "message_start": {
      const message = isObject(chunk.message) ? chunk.message : {};
      return [{ ...state, usage: withUsage(state.usage, message.usage), container: containerOf(message, state) }, []];
    }
    case "message_delta": {
      const delta = isObject(chunk.delta) ? chunk.delta : {};
      return [
        {
          ...state,
          usage: withUsage(state.usage, chunk.usage),
          stopReason: stringOf(delta.stop_reason) || state.stopReason,
          container: containerOf(delta, state),
        },
        [],
      ];
    }
    case "message_stop":
      return [{ ...state, isDone: true }, []];
    default:
      return [state, []];
  }
}

/** The events that end the answer. */
export function conclude(state: State): ModelEvent[] {
  const { blocks, stopReason } = state;
  const usage = usageOf(state);
  const cutOff = cutOffBlock(state);
  const native = cutOff ? undefined : nativeOf(blocks, stopReason);
  return [
    ...blocks.flatMap((block) => toToolCall(block, block === cutOff)),
    ...(usage ? [{ type: "usage", usage } as const] : []),
    {
      type: "finish",
      reason: toFinishReason(stopReason),
      ...(stopReason ? { raw: stopReason } : {}),
      ...(native ? { native } : {}),
    },
  ];
}

/**
 * The content to send back so that an answer which the server paused continues. Undefined if the server did not pause it,
 * or if the content cannot be sent back, such as a call without its result.
 */
export function pausedContent({ blocks, stopReason }: State): JsonObject[] | undefined {
  const isPaused = stopReason === "pause_turn" && !blocks.some(({ call }) => call);
  return isPaused ? wholeContent(blocks) : undefined;
}

/** The state before the next message of an answer that the server paused. */
export function resume({ blocks, spent, usage, container }: State): State {
  const offset = 1 + Math.max(-1, ...blocks.map(({ index }) => index));
  return { blocks, offset, spent: usage ? sumUsage(spent, usage) : spent, container, isDone: false };
}

/**
 * The usage of an answer that was aborted: the server's final counts if it sent them, which it does with the reason why it
 * stopped; otherwise an estimate. Marked `estimated` in both cases, because the answer was not read to its end.
 */
export function usageOfAborted(state: State, request: ModelRequest): Usage {
  const { blocks, offset, spent, usage, stopReason } = state;
  if (usage && stopReason) return sumUsage(spent, { ...usage, estimated: true });
  const present = blocks.filter(({ index }) => index >= offset);
  const estimate = estimateUsage(request, present.map(({ text }) => text).join(""));
  const output = Math.max(usage?.output ?? 0, estimate.output);
  return sumUsage(spent, { ...estimate, ...usage, output, estimated: true });
}

/** The text of the answer so far. */
export function textOf({ blocks }: State): string {
  return blocks.map(({ start, text }) => (start.type === "text" ? text : "")).join("");
}

function containerOf({ container }: Record<string, unknown>, state: State): string | undefined {
  return (isObject(container) && stringOf(container.id)) || state.container;
}

function reduceStart(state: State, at: unknown, start: Record<string, unknown>): [State, ModelEvent[]] {
  const { type } = start;
  if (typeof type !== "string") return [state, []];
  const call = type === "tool_use" ? newCall(state, start) : undefined;
  const block = newBlock(state.offset + numberOf(at, 0), { ...start, type }, call);
  return [{ ...state, blocks: [...state.blocks, block] }, eventsOfStart(block)];
}

function newCall({ blocks }: State, { id }: Record<string, unknown>): { index: number; id: string } {
  const used = new Set(blocks.map(({ call }) => call?.id));
  const index = blocks.filter(({ call }) => call).length;
  return { index, id: callId(id, index, (taken) => used.has(taken)) };
}

function eventsOfStart({ start, text, call }: Block): ModelEvent[] {
  if (call) return [{ type: "tool_call_delta", ...call, name: stringOf(start.name), arguments: "" }];
  return piece(start.type === "thinking" ? "reasoning" : "text", text);
}

function reduceDelta(state: State, at: unknown, delta: Record<string, unknown>): [State, ModelEvent[]] {
  const { blocks } = state;
  const index = state.offset + numberOf(at, 0);
  const position = blocks.findLastIndex((candidate) => candidate.index === index);
  const block = blocks[position];
  if (!block) return [state, []];
  const [grown, events] = withDelta(block, delta);
  return [{ ...state, blocks: blocks.with(position, grown) }, events];
}

function withDelta(block: Block, delta: Record<string, unknown>): [Block, ModelEvent[]] {
  switch (delta.type) {
    case "text_delta": {
      const text = stringOf(delta.text);
      return [{ ...block, text: block.text + text }, piece("text", text)];
    }
    case "thinking_delta": {
      const text = stringOf(delta.thinking);
      return [{ ...block, text: block.text + text }, piece("reasoning", text)];
    }
    case "input_json_delta": {
      const text = stringOf(delta.partial_json);
      return [{ ...block, text: block.text + text }, text && block.call ? callDelta(block.call.index, text) : []];
    }
    case "signature_delta":
      // Each signature is whole: it replaces the one that the block began with, or an earlier one.
      return [{ ...block, signature: stringOf(delta.signature) }, []];
    case "citations_delta":
      return [{ ...block, citations: [...block.citations, delta.citation] }, []];
    default:
      return [{ ...block, isOpaque: true }, []];
  }
}

function callDelta(index: number, text: string): ModelEvent[] {
  return [{ type: "tool_call_delta", index, arguments: text }];
}

function piece(type: "text" | "reasoning", text: string): ModelEvent[] {
  return text === "" ? [] : [{ type, text }];
}

/**
 * The last block, if the answer ended before any of its input arrived. Its input then looks like that of a call without
 * arguments, but the model never sent it.
 */
function cutOffBlock({ blocks, stopReason }: State): Block | undefined {
  const reason = toFinishReason(stopReason);
  const last = blocks.at(-1);
  return last && (reason === "length" || reason === "content_filter") && hasNoInput(last) ? last : undefined;
}

function toToolCall(block: Block, isCutOff: boolean): ModelEvent[] {
  const { call, start } = block;
  if (!call) return [];
  return [{ type: "tool_call", id: call.id, name: stringOf(start.name), arguments: isCutOff ? "" : inputText(block) }];
}

function usageOf({ spent, usage, offset }: State): Usage | undefined {
  if (usage) return sumUsage(spent, usage);
  return offset > 0 ? spent : undefined;
}

function toFinishReason(raw: string | undefined): FinishReason {
  switch (raw) {
    case "end_turn":
    case "stop_sequence":
      return "stop";
    case "max_tokens":
    case "model_context_window_exceeded":
      return "length";
    case "tool_use":
      return "tool_calls";
    case "refusal":
      return "content_filter";
    default:
      return "other";
  }
}

import type { FinishReason, JsonObject, Usage } from "@cogency/protocol";
import { estimateUsage, type ModelEvent, type ModelRequest, sumUsage, zeroUsage } from "@cogency/provider";
import { callId } from "@cogency/provider/http";
import { isObject, numberOf, stringOf } from "../wire-values.ts";
import {
  type Block,
  hasNoInput,
  inputText,
  isBlankText,
  isNative,
  isServerCall,
  isThinking,
  newBlock,
  wholeBlock,
} from "./block.ts";
import { withUsage } from "./usage.ts";

/** What has been received of one answer, which may come in several messages: see {@link resume}. */
export interface State {
  readonly blocks: readonly Block[];
  /** The place in the answer of the present message's first block. */
  readonly offset: number;
  /** What the messages before the present one took. */
  readonly spent: Usage;
  /** What the present one takes, as far as the server has told. */
  readonly usage?: Usage | undefined;
  /** The server's own word. */
  readonly stopReason?: string | undefined;
  /** Where the tools of the server have worked, and have left what they made. */
  readonly container?: string | undefined;
  /** The message is complete. */
  readonly isDone: boolean;
}

export const initialState: State = { blocks: [], offset: 0, spent: zeroUsage, isDone: false };

/** Take in one event of the wire, whatever it is. Whole tool calls, usage and the finish come from {@link conclude}. */
export function reduce(state: State, chunk: unknown): [State, ModelEvent[]] {
  if (!isObject(chunk)) return [state, []];
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

/** The text so far. */
export function textOf({ blocks }: State): string {
  return blocks.map(({ start, text }) => (start.type === "text" ? text : "")).join("");
}

/**
 * The content to send back when the server paused a long answer, so that it goes on; undefined if it did not, or if the
 * content cannot be sent back, as a call without its result cannot.
 */
export function pausedContent(state: State): JsonObject[] | undefined {
  const isPaused = state.stopReason === "pause_turn" && !state.blocks.some(({ call }) => call);
  return isPaused ? wholeContent(state) : undefined;
}

/** The answer goes on with another message. */
export function resume({ blocks, spent, usage, container }: State): State {
  const offset = 1 + Math.max(-1, ...blocks.map(({ index }) => index));
  return { blocks, offset, spent: usage ? sumUsage(spent, usage) : spent, container, isDone: false };
}

/** The events that end the answer. */
export function* conclude(state: State): Generator<ModelEvent> {
  for (const block of state.blocks) {
    if (block.call) {
      const input = isCutOff(state, block) ? "" : inputText(block);
      yield { type: "tool_call", id: block.call.id, name: stringOf(block.start.name), arguments: input };
    }
  }
  const usage = usageOf(state);
  if (usage) yield { type: "usage", usage };
  const { stopReason } = state;
  const native = state.blocks.some(isNative) && !isUnanswered(state) ? wholeContent(state) : undefined;
  yield {
    type: "finish",
    reason: toFinishReason(stopReason),
    ...(stopReason ? { raw: stopReason } : {}),
    ...(native ? { native } : {}),
  };
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
  const place = blocks.findLastIndex((candidate) => candidate.index === index);
  const block = blocks[place];
  if (!block) return [state, []];
  const [grown, events] = withDelta(block, delta);
  return [{ ...state, blocks: blocks.with(place, grown) }, events];
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
      // It comes whole: one that the block began with, or that is told again, is not a part of it.
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
 * Whether the answer ended before anything of this call's input came. It is then as empty as that of a call without
 * arguments, but the model never said so.
 */
function isCutOff({ blocks, stopReason }: State, block: Block): boolean {
  const reason = toFinishReason(stopReason);
  return (reason === "length" || reason === "content_filter") && block === blocks.at(-1) && hasNoInput(block);
}

/**
 * Whether a tool of the server has given no result. Only that server can go on then, from a pause or when it has the
 * results of our own calls: as a part of an earlier turn it refuses such a block.
 */
function isUnanswered({ blocks, stopReason }: State): boolean {
  if (stopReason === "tool_use") return false;
  const answered = new Set(blocks.map(({ start }) => start.tool_use_id));
  return blocks.some((block) => isServerCall(block) && !answered.has(block.start.id));
}

/**
 * Every block as the server would take it back, but for blank texts, which it refuses; undefined if one cannot be, or if
 * nothing follows the thinking: the server refuses that, too.
 */
function wholeContent(state: State): JsonObject[] | undefined {
  const { blocks } = state;
  const whole = blocks.map((block) => (isCutOff(state, block) ? undefined : wholeBlock(block)));
  const content = whole.filter((block) => block !== undefined);
  if (content.length < blocks.length) return undefined;
  const told = content.filter((block) => !isBlankText(block));
  const last = told.at(-1);
  return last && !isThinking(last) ? told : undefined;
}

function usageOf({ spent, usage, offset }: State): Usage | undefined {
  if (usage) return sumUsage(spent, usage);
  return offset > 0 ? spent : undefined;
}

/**
 * The server's final counts, once it has said why it stopped: it tells both together. Of an answer that was not read to
 * its end they are an estimate like any other.
 */
export function usageOfAborted(state: State, request: ModelRequest): Usage {
  const { blocks, offset, spent, usage, stopReason } = state;
  if (usage && stopReason) return sumUsage(spent, { ...usage, estimated: true });
  const present = blocks.filter(({ index }) => index >= offset);
  const estimate = estimateUsage(request, present.map(({ text }) => text).join(""));
  const output = Math.max(usage?.output ?? 0, estimate.output);
  return sumUsage(spent, { ...estimate, ...usage, output, estimated: true });
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

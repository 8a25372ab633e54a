import type { FinishReason, JsonObject, Usage } from "@cogency/protocol";
import { estimateUsage, type ModelEvent, type ModelRequest, sumUsage, zeroUsage } from "@cogency/provider";
import { type Block, inputText, isBlankText, isNative, newBlock, wholeBlock } from "./block.ts";
import { isObject, numberOf, stringOf } from "./read-json.ts";
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
    case "message_start":
      return [{ ...state, usage: withUsage(state.usage, isObject(chunk.message) && chunk.message.usage) }, []];
    case "message_delta": {
      const stopReason = isObject(chunk.delta) ? chunk.delta.stop_reason : undefined;
      return [
        {
          ...state,
          usage: withUsage(state.usage, chunk.usage),
          stopReason: typeof stopReason === "string" ? stopReason : state.stopReason,
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
export function resume({ blocks, spent, usage }: State): State {
  const offset = 1 + Math.max(-1, ...blocks.map(({ index }) => index));
  return { blocks, offset, spent: usage ? sumUsage(spent, usage) : spent, isDone: false };
}

/** The events that end the answer. What `isAborted` says is asked before each of them. */
export function* conclude(state: State, request: ModelRequest, isAborted: () => boolean): Generator<ModelEvent> {
  for (const block of state.blocks) {
    if (isAborted()) break;
    if (block.call) {
      yield { type: "tool_call", id: block.call.id, name: stringOf(block.start.name), arguments: inputText(block) };
    }
  }
  const usage = isAborted() ? usageOfAborted(state, request) : usageOf(state);
  if (usage) yield { type: "usage", usage };
  if (isAborted()) return yield { type: "finish", reason: "aborted" };
  const { stopReason } = state;
  const native = state.blocks.some(isNative) ? wholeContent(state) : undefined;
  yield {
    type: "finish",
    reason: toFinishReason(stopReason),
    ...(stopReason ? { raw: stopReason } : {}),
    ...(native ? { native } : {}),
  };
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
  if (typeof id === "string" && /^[\w-]{1,40}$/.test(id) && !used.has(id)) return { index, id };
  let minted = `call_${index}`;
  for (let suffix = 2; used.has(minted); suffix++) minted = `call_${index}_${suffix}`;
  return { index, id: minted };
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
      return [{ ...block, signature: block.signature + stringOf(delta.signature) }, []];
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

/** Every block as the server would take it back, but for blank texts, which it refuses; undefined if one cannot be. */
function wholeContent({ blocks }: State): JsonObject[] | undefined {
  const whole = blocks.map(wholeBlock);
  const content = whole.filter((block) => block !== undefined);
  if (content.length < blocks.length) return undefined;
  const told = content.filter((block) => !isBlankText(block));
  return told.length > 0 ? told : undefined;
}

function usageOf({ spent, usage, offset }: State): Usage | undefined {
  if (usage) return sumUsage(spent, usage);
  return offset > 0 ? spent : undefined;
}

/** Exact once the server has said why it stopped, which it does together with the final counts. */
function usageOfAborted(state: State, request: ModelRequest): Usage {
  const { blocks, offset, spent, usage, stopReason } = state;
  if (usage && stopReason) return sumUsage(spent, usage);
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

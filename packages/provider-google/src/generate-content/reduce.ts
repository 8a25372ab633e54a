import type { FinishReason, JsonObject, Usage } from "@cogency/protocol";
import { estimateUsage, type ModelEvent, type ModelRequest } from "@cogency/provider";
import { callId, isObject, sourceText, stringOf } from "@cogency/provider/http";
import { nativeOf, withPart } from "./native.ts";
import { type Counts, toUsage, withCounts } from "./usage.ts";
import { type Chunk, candidatesOf, isChunk, partsOf, type WirePart } from "./wire.ts";

/** The part of one answer that has been received. */
export interface State {
  /** As the server wants them back; adjacent pieces of plain text are joined. */
  readonly parts: readonly JsonObject[];
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly Call[];
  readonly counts?: Counts | undefined;
  /** Why the answer ended; until then it is not complete. Undefined again if more content comes without a reason. */
  readonly finish?: Finish | undefined;
}

interface Call {
  readonly id: string;
  readonly name: string;
  /** JSON text. */
  readonly arguments: string;
}

interface Finish {
  /** The server's own word. */
  readonly raw: string;
  /** The prompt was blocked, and the word says why. */
  readonly isBlocked: boolean;
}

export const initialState: State = { parts: [], text: "", reasoning: "", calls: [] };

/** Adds one chunk. Whole tool calls, usage and the finish come from {@link conclude}, after the stream has ended. */
export function reduce(before: State, chunk: unknown): [State, ModelEvent[]] {
  if (!isChunk(chunk)) return [before, []];
  let state: State = { ...before, counts: withCounts(before.counts, chunk.usageMetadata) };
  const events: ModelEvent[] = [];
  const [candidate = {}] = candidatesOf(chunk);
  for (const part of partsOf(candidate)) {
    const [next, event] = reducePart(state, part);
    state = next;
    if (event) events.push(event);
  }
  // Some gateways send a reason before the content, or one with each piece.
  const earlier = state.parts === before.parts ? before.finish : undefined;
  return [{ ...state, finish: finishOf(chunk, candidate) ?? earlier }, events];
}

/** The events that end the answer. */
export function conclude({ parts, calls, counts, finish }: State): ModelEvent[] {
  const native = nativeOf(parts);
  return [
    ...calls.map((call): ModelEvent => ({ type: "tool_call", ...call })),
    ...(counts ? [{ type: "usage", usage: toUsage(counts) } as const] : []),
    {
      type: "finish",
      reason: toFinishReason(finish, calls.length > 0),
      ...(finish ? { raw: finish.raw } : {}),
      ...(native ? { native } : {}),
    },
  ];
}

/**
 * The usage of an answer that was aborted: the server's final counts if it has sent them, which it does with the reason why
 * it stopped; otherwise an estimate. Marked `estimated` in both cases, because the answer was not read to its end.
 */
export function usageOfAborted(state: State, request: ModelRequest): Usage {
  const { text, reasoning, calls, counts, finish } = state;
  const reported = counts && toUsage(counts);
  if (reported && finish) return { ...reported, estimated: true };
  const generated = [text, reasoning, ...calls.map((call) => call.arguments)].join("");
  const estimate = estimateUsage(request, generated);
  return { ...estimate, ...reported, output: Math.max(reported?.output ?? 0, estimate.output), estimated: true };
}

function reducePart(state: State, part: WirePart): [State, ModelEvent?] {
  const grown = { ...state, parts: withPart(state.parts, part) };
  if (isObject(part.functionCall)) return reduceCall(grown, part.functionCall);
  const text = stringOf(part.text);
  if (text === "") return [grown];
  return part.thought === true
    ? [
        { ...grown, reasoning: state.reasoning + text },
        { type: "reasoning", text },
      ]
    : [
        { ...grown, text: state.text + text },
        { type: "text", text },
      ];
}

/** A call comes whole. */
function reduceCall(state: State, { id: given, name, args }: Record<string, unknown>): [State, ModelEvent] {
  const { calls } = state;
  const index = calls.length;
  const id = callId(given, index, (taken) => calls.some((other) => other.id === taken));
  const call = { id, name: stringOf(name), arguments: isObject(args) ? sourceText(args) : JSON.stringify(args ?? {}) };
  return [
    { ...state, calls: [...calls, call] },
    { type: "tool_call_delta", index, ...call },
  ];
}

function finishOf({ promptFeedback }: Chunk, { finishReason }: Record<string, unknown>): Finish | undefined {
  const blocked = isObject(promptFeedback) ? stringOf(promptFeedback.blockReason) : "";
  if (blocked !== "") return { raw: blocked, isBlocked: true };
  const raw = stringOf(finishReason);
  return raw === "" ? undefined : { raw, isBlocked: false };
}

function toFinishReason(finish: Finish | undefined, hasCalls: boolean): FinishReason {
  if (finish?.isBlocked) return "content_filter";
  switch (finish?.raw) {
    case "STOP":
      // The wire has no word of its own for calls.
      return hasCalls ? "tool_calls" : "stop";
    case "FUNCTION_CALL":
      // The word of some servers other than Google's.
      return "tool_calls";
    case "MAX_TOKENS":
      return "length";
    case "SAFETY":
    case "RECITATION":
    case "BLOCKLIST":
    case "PROHIBITED_CONTENT":
    case "SPII":
    case "IMAGE_SAFETY":
    case "IMAGE_PROHIBITED_CONTENT":
    case "IMAGE_RECITATION":
      return "content_filter";
    default:
      return "other";
  }
}

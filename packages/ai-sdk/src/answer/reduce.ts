import type { JsonObject } from "@cogency/protocol";
import type { ModelEvent } from "@cogency/provider";
import { callId } from "@cogency/provider/http";
import type { Finish } from "./finish.ts";
import type { Part, TextKind } from "./part.ts";

/** The part of an answer that has been received, in the order in which its blocks began. */
export interface State {
  readonly items: readonly Item[];
  readonly finish?: Finish;
}

export type Item = TextItem | CallItem | { readonly type: "kept"; readonly item: JsonObject };

interface TextItem {
  readonly type: TextKind;
  readonly id: string;
  readonly text: string;
  readonly isOpen: boolean;
  readonly metadata?: JsonObject;
}

export interface CallItem {
  readonly type: "call";
  /** The position among the calls of the answer. */
  readonly index: number;
  readonly id: string;
  /** The model's own id. */
  readonly given: string;
  readonly name: string;
  /** The joined pieces of the arguments. */
  readonly pieces: string;
  /** The whole arguments; absent before they have come. */
  readonly input?: string;
  readonly metadata?: JsonObject;
}

export const initialState: State = { items: [] };

/** Adds one part. Whole calls, usage and the finish come from `conclude`, after the stream has ended. */
export function reduce(state: State, part: Part): [State, ModelEvent[]] {
  switch (part.type) {
    case "begin":
      return [withItem(state, newText(part)), []];
    case "piece":
      return withPiece(state, part);
    case "end":
      return [ended(state, part), []];
    case "call-begin":
      return begunCall(state, part);
    case "call-piece":
      return withCallPiece(state, part);
    case "call":
      return wholeCall(state, part);
    case "kept":
      return [withItem(state, { type: "kept", item: part.item }), []];
    case "finish":
      return [{ ...state, finish: part }, []];
    default:
      return [state, []];
  }
}

export function isCall(item: Item): item is CallItem {
  return item.type === "call";
}

function withItem(state: State, item: Item): State {
  return { ...state, items: [...state.items, item] };
}

function replaced(state: State, at: number, item: Item): State {
  return { ...state, items: state.items.with(at, item) };
}

interface Marked {
  metadata?: JsonObject;
}

/** Later metadata of a block take the place of earlier ones: a signature comes with the last piece, or with the end. */
function metadataOf(part: Marked, before: Marked = {}): Marked {
  const { metadata = before.metadata } = part;
  return metadata ? { metadata } : {};
}

function newText(part: Extract<Part, { type: "begin" | "piece" | "end" }>): TextItem {
  const { kind, id } = part;
  return {
    type: kind,
    id,
    text: part.type === "piece" ? part.text : "",
    isOpen: part.type !== "end",
    ...metadataOf(part),
  };
}

/** Ids may come again once a block has ended. */
function openText({ items }: State, kind: TextKind, id: string): [number, TextItem | undefined] {
  const at = items.findLastIndex((item) => item.type === kind && item.id === id && item.isOpen);
  const item = items[at];
  return [at, item?.type === kind ? item : undefined];
}

function withPiece(state: State, part: Extract<Part, { type: "piece" }>): [State, ModelEvent[]] {
  const { kind, id, text } = part;
  const [at, item] = openText(state, kind, id);
  const events: ModelEvent[] = text === "" ? [] : [{ type: kind, text }];
  if (!item) return [withItem(state, newText(part)), events];
  return [replaced(state, at, { ...item, text: item.text + text, ...metadataOf(part, item) }), events];
}

function ended(state: State, part: Extract<Part, { type: "begin" | "end" }>): State {
  const [at, item] = openText(state, part.kind, part.id);
  return item ? replaced(state, at, { ...item, isOpen: false, ...metadataOf(part, item) }) : state;
}

function openCall({ items }: State, given: string): [number, CallItem | undefined] {
  const at = items.findIndex((item) => isCall(item) && item.given === given && item.input === undefined);
  const item = items[at];
  return [at, item && isCall(item) ? item : undefined];
}

function newCall({ items }: State, given: string, name: string): CallItem {
  const calls = items.filter(isCall);
  const index = calls.length;
  const id = callId(given, index, (taken) => calls.some((call) => call.id === taken));
  return { type: "call", index, id, given, name, pieces: "" };
}

function begunCall(state: State, part: Extract<Part, { type: "call-begin" }>): [State, ModelEvent[]] {
  const call = { ...newCall(state, part.id, part.name), ...metadataOf(part) };
  const { index, id, name } = call;
  return [withItem(state, call), [{ type: "tool_call_delta", index, id, name, arguments: "" }]];
}

function withCallPiece(state: State, part: Extract<Part, { type: "call-piece" }>): [State, ModelEvent[]] {
  const [at, call] = openCall(state, part.id);
  if (!call) return [state, []];
  const { text } = part;
  const events: ModelEvent[] = text === "" ? [] : [{ type: "tool_call_delta", index: call.index, arguments: text }];
  return [replaced(state, at, { ...call, pieces: call.pieces + text, ...metadataOf(part, call) }), events];
}

/** Many models give only the whole call, and some the whole after its pieces. */
function wholeCall(state: State, part: Extract<Part, { type: "call" }>): [State, ModelEvent[]] {
  const [at, begun] = openCall(state, part.id);
  const call = begun ?? newCall(state, part.id, part.name);
  const { index, id, pieces } = call;
  const name = part.name || call.name;
  const whole: CallItem = { ...call, name, input: part.input, ...metadataOf(part, call) };
  const next = begun ? replaced(state, at, whole) : withItem(state, whole);
  if (!begun) return [next, [{ type: "tool_call_delta", index, id, name, arguments: part.input }]];
  const isMore = part.input.length > pieces.length && part.input.startsWith(pieces);
  return [next, isMore ? [{ type: "tool_call_delta", index, arguments: part.input.slice(pieces.length) }] : []];
}

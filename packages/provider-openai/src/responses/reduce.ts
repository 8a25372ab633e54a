import type { FinishReason, JsonObject, Usage } from "@cogency/protocol";
import type { ModelEvent } from "@cogency/provider";
import { callId } from "@cogency/provider/http";
import { isObject } from "../wire-values.ts";
import { nativeItems } from "./native.ts";
import { toUsage } from "./usage.ts";
import { messageText, reasoningText } from "./whole-item.ts";
import type { WireEvent } from "./wire.ts";

/** What has been received of one answer. */
export interface State {
  /** In the order of their arrival. */
  readonly items: readonly OutputItem[];
  readonly usage?: Usage;
  /** The answer has ended. */
  readonly finish?: { readonly reason: FinishReason; readonly raw: string };
  /** The server has failed; its error, of whatever shape. */
  readonly failure?: unknown;
}

interface OutputItem {
  /** The place in the answer. */
  readonly index: number;
  /** The server's name for the item; some give it another one with every event. */
  readonly itemId: unknown;
  readonly kind: Kind;
  /** Text, or arguments, as given out so far. */
  readonly streamed: string;
  /** The part of a reasoning item that the last piece belongs to. */
  readonly part?: string;
  /** Of a call: which of the calls it is, counted from 0. */
  readonly call: number;
  /** Of a call: ours, which is the server's if that is well formed and unique in the answer. */
  readonly id: string;
  readonly name: string;
  /** The item as the server tells it once it is complete. */
  readonly whole?: JsonObject;
}

type Kind = "message" | "reasoning" | "function_call" | "other";

export const initialState: State = { items: [] };

/** Take in one event. Whole tool calls, usage and the finish come from {@link conclude}, after the terminal event. */
export function reduce(state: State, event: WireEvent): [State, ModelEvent[]] {
  switch (event.type) {
    case "response.output_text.delta":
    case "response.refusal.delta":
      return grow(state, itemOf(state, event, "message"), event.delta);
    case "response.output_text.done":
      return tellOnce(state, itemOf(state, event, "message"), event.text);
    case "response.reasoning_summary_text.delta":
      return grow(state, itemOf(state, event, "reasoning"), event.delta, `summary ${event.summary_index}`);
    case "response.reasoning_text.delta":
      return grow(state, itemOf(state, event, "reasoning"), event.delta, `text ${event.content_index}`);
    case "response.function_call_arguments.delta":
      return grow(state, itemOf(state, event, "function_call"), event.delta);
    case "response.function_call_arguments.done":
      return catchUp(state, itemOf(state, event, "function_call"), event.arguments);
    case "response.output_item.added":
      return begin(state, event);
    case "response.output_item.done":
      return isObject(event.item) ? complete(state, event, event.item) : [state, []];
    case "response.completed":
    case "response.incomplete":
    case "response.cancelled":
    case "response.failed":
      return end(state, event);
    case "error":
      return [{ ...state, failure: event.error ?? event }, []];
    default:
      return [state, []];
  }
}

/** The events that end the answer. */
export function conclude({ items, usage, finish }: State): ModelEvent[] {
  const isComplete = finish?.raw === "completed";
  const inOrder = items.toSorted((a, b) => a.index - b.index);
  // A call that the limit has cut off is no call.
  const calls = inOrder.filter(({ kind, whole }) => kind === "function_call" && (isComplete || isDone(whole)));
  const wholes = inOrder.flatMap(({ whole }) => (whole ? [whole] : []));
  const native = isComplete && wholes.length === items.length ? nativeItems(wholes) : undefined;
  const reason = finish?.reason === "stop" && calls.length > 0 ? "tool_calls" : (finish?.reason ?? "other");
  return [
    ...calls.map(toToolCall),
    ...(usage ? [{ type: "usage", usage } as const] : []),
    { type: "finish", reason, ...(finish ? { raw: finish.raw } : {}), ...(native ? { native } : {}) },
  ];
}

/** The text of the answer so far. */
export function textOf({ items }: State): string {
  return items
    .filter(({ kind, streamed }) => kind === "message" && streamed !== "")
    .map(({ streamed }) => streamed)
    .join("\n\n");
}

/** All that the model has generated so far: text, reasoning and arguments. */
export function generatedText({ items }: State): string {
  return items.map(({ streamed }) => streamed).join("");
}

/** The item that an event belongs to, by its place, or else by its name; a new one if it was not announced. */
function itemOf(state: State, { output_index: given, item_id, item }: WireEvent, kind: Kind): OutputItem {
  const id = item_id ?? (isObject(item) ? item.id : undefined);
  const named = id === undefined ? undefined : state.items.findLast((each) => each.itemId === id && each.kind === kind);
  const index = typeof given === "number" ? given : (named ?? state.items.at(-1))?.index;
  return (
    state.items.findLast((each) => each.index === (index ?? 0) && each.kind === kind) ??
    newItem(state, index ?? 0, kind, { id })
  );
}

function newItem({ items }: State, index: number, kind: Kind, { id: itemId, call_id, name }: Fields = {}): OutputItem {
  const call = items.filter((item) => item.kind === "function_call").length;
  const item = { index, itemId, kind, streamed: "", call };
  if (kind !== "function_call") return { ...item, id: "", name: "" };
  const id = callId(call_id, call, (taken) => items.some((other) => other.id === taken));
  return { ...item, id, name: typeof name === "string" ? name : "" };
}

type Fields = Readonly<Record<string, unknown>>;

/** The new piece, and before it a blank line where a part, or an item of the same kind, has come before it. */
function grow(state: State, item: OutputItem, delta: unknown, part?: string): [State, ModelEvent[]] {
  if (typeof delta !== "string" || delta === "" || item.whole) return [state, []];
  const isNewPart = part !== undefined && item.part !== part && item.streamed !== "";
  const streamed = item.streamed + (isNewPart ? `\n\n${delta}` : delta);
  const next = withItem(state, item, { ...item, streamed, ...(part === undefined ? {} : { part }) });
  const hasBreak = isNewPart || (item.streamed === "" && hasTextBefore(state, item));
  const events = piece(item, hasBreak ? `\n\n${delta}` : delta);
  return [next, state.items.includes(item) ? events : [...announcement(item), ...events]];
}

function hasTextBefore({ items }: State, { kind }: OutputItem): boolean {
  return kind !== "function_call" && items.some((item) => item.kind === kind && item.streamed !== "");
}

function piece({ kind, call }: OutputItem, text: string): ModelEvent[] {
  switch (kind) {
    case "message":
      return [{ type: "text", text }];
    case "reasoning":
      return [{ type: "reasoning", text }];
    case "function_call":
      return [{ type: "tool_call_delta", index: call, arguments: text }];
    case "other":
      return [];
  }
}

/** What the whole text has beyond the pieces, which some servers leave out; nothing if the two differ. */
function catchUp(state: State, item: OutputItem, whole: unknown): [State, ModelEvent[]] {
  if (typeof whole !== "string" || !whole.startsWith(item.streamed)) return [state, []];
  return grow(state, item, whole.slice(item.streamed.length));
}

/** A text that is told as a whole, if none of the item was told in pieces: beyond one part they cannot be compared. */
function tellOnce(state: State, item: OutputItem, whole: unknown): [State, ModelEvent[]] {
  return item.streamed === "" ? grow(state, item, whole) : [state, []];
}

function begin(state: State, event: WireEvent): [State, ModelEvent[]] {
  if (!isObject(event.item)) return [state, []];
  const kind = kindOf(event.item);
  const index = typeof event.output_index === "number" ? event.output_index : (state.items.at(-1)?.index ?? -1) + 1;
  const item = newItem(state, index, kind, event.item);
  return [{ ...state, items: [...state.items, item] }, announcement(item)];
}

function kindOf({ type }: Fields): Kind {
  return type === "message" || type === "reasoning" || type === "function_call" ? type : "other";
}

function announcement(item: OutputItem): ModelEvent[] {
  if (item.kind !== "function_call") return [];
  const { call, id, name } = item;
  return [{ type: "tool_call_delta", index: call, id, ...(name ? { name } : {}), arguments: "" }];
}

function complete(state: State, event: WireEvent, whole: Fields): [State, ModelEvent[]] {
  const kind = kindOf(whole);
  const known = itemOf(state, event, kind);
  const isAnnounced = state.items.includes(known) && !known.whole;
  const item = isAnnounced ? known : newItem(state, known.index, kind, whole);
  const [next, events] = catchUp(isAnnounced ? state : withItem(state, item, item), item, wholeText(kind, whole));
  const grown = itemOf(next, event, kind);
  const name = typeof whole.name === "string" ? whole.name : grown.name;
  return [
    withItem(next, grown, { ...grown, name, whole: whole as JsonObject }),
    isAnnounced ? events : [...announcement(item), ...events],
  ];
}

function wholeText(kind: Kind, whole: Fields): unknown {
  switch (kind) {
    case "message":
      return messageText(whole);
    case "reasoning":
      return reasoningText(whole);
    case "function_call":
      return argumentsOf(whole);
    case "other":
      return undefined;
  }
}

/** Some servers send an object instead of its text. */
function argumentsOf({ arguments: args }: Fields): unknown {
  return isObject(args) ? JSON.stringify(args) : args;
}

function withItem(state: State, old: OutputItem, item: OutputItem): State {
  const position = state.items.lastIndexOf(old);
  return { ...state, items: position === -1 ? [...state.items, item] : state.items.with(position, item) };
}

function end(state: State, { type, response }: WireEvent): [State, ModelEvent[]] {
  const { status, error, usage, incomplete_details: details, output } = isObject(response) ? response : {};
  const said = type.slice("response.".length);
  // Some servers end every answer with the same event and tell by the status how it went.
  const outcome = said === "completed" && typeof status === "string" && outcomes.has(status) ? status : said;
  if (outcome === "failed") return [{ ...state, failure: error ?? {} }, []];
  const [told, events] = unheard(state, output);
  const reason = isObject(details) && typeof details.reason === "string" ? details.reason : outcome;
  const raw = outcome === "incomplete" ? reason : outcome;
  const finish = { reason: reasons.get(raw) ?? "other", raw };
  return [{ ...told, ...(isObject(usage) ? { usage: toUsage(usage) } : {}), finish }, events];
}

const outcomes: ReadonlySet<string> = new Set(["incomplete", "failed", "cancelled"]);

const reasons: ReadonlyMap<string, FinishReason> = new Map([
  ["completed", "stop"],
  ["max_output_tokens", "length"],
  // An answer that is cut and does not say by what.
  ["incomplete", "length"],
  ["content_filter", "content_filter"],
]);

/** The items that only the terminal event has told. */
function unheard(state: State, output: unknown): [State, ModelEvent[]] {
  if (!Array.isArray(output)) return [state, []];
  const heard = state.items.filter(({ whole }) => whole).map(({ kind }) => kind);
  const hasHeard = heard.length > 0;
  let told = state;
  const events: ModelEvent[] = [];
  for (const [place, item] of output.entries()) {
    if (!isObject(item)) continue;
    // By kind and order: an item may have another id here than it had in the stream.
    const known = heard.indexOf(kindOf(item));
    if (known !== -1) heard.splice(known, 1);
    if (known !== -1 || (hasHeard && !isSaid(item))) continue;
    // Where pieces came their number counts: the list may hold what the stream did not tell of.
    const begun = told.items.find(({ kind, whole }) => kind === kindOf(item) && !whole);
    const event = { type: "response.output_item.done", output_index: begun?.index ?? place };
    const [next, more] = complete(told, event, item);
    told = next;
    events.push(...more);
  }
  return [told, events];
}

/** Whether the answer is not what it says without this item. */
function isSaid(item: Fields): boolean {
  return item.type === "message" || item.type === "function_call";
}

function isDone(whole: JsonObject | undefined): boolean {
  return whole !== undefined && whole.status !== "incomplete" && whole.status !== "in_progress";
}

function toToolCall({ id, name, streamed, whole }: OutputItem): ModelEvent {
  const said = whole ? argumentsOf(whole) : undefined;
  const text = typeof said === "string" ? said : streamed;
  return { type: "tool_call", id, name, arguments: text.trim() === "" ? "{}" : text };
}

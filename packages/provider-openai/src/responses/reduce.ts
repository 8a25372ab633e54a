import type { FinishReason, JsonObject, Usage } from "@cogency/protocol";
import { estimateUsage, type ModelEvent, type ModelRequest } from "@cogency/provider";
import { isObject } from "@cogency/provider/http";
import { isDone, itemOf, kindOf, newItem, type OutputItem, wholeText, withItem } from "./items.ts";
import { nativeOf } from "./native.ts";
import { toUsage } from "./usage.ts";
import { argumentsOf, type Chunk, type WireItem } from "./wire.ts";

/** The part of one answer that has been received. */
export interface State {
  /** In the order of their arrival. */
  readonly items: readonly OutputItem[];
  readonly usage?: Usage;
  /** The answer has ended. */
  readonly finish?: { readonly reason: FinishReason; readonly raw: string };
  /** The server has failed; its error, of any shape. */
  readonly failure?: unknown;
}

export const initialState: State = { items: [] };

/** Adds one chunk. Whole tool calls, usage and the finish come from {@link conclude}, after the stream has ended. */
export function reduce(state: State, chunk: Chunk): [State, ModelEvent[]] {
  const { items } = state;
  switch (chunk.type) {
    case "response.output_text.delta":
    case "response.refusal.delta":
      return grow(state, itemOf(items, chunk, "message"), chunk.delta);
    case "response.output_text.done":
      return addWholeText(state, itemOf(items, chunk, "message"), chunk.text);
    case "response.reasoning_summary_text.delta":
      return grow(state, itemOf(items, chunk, "reasoning"), chunk.delta, `summary ${chunk.summary_index}`);
    case "response.reasoning_text.delta":
      return grow(state, itemOf(items, chunk, "reasoning"), chunk.delta, `text ${chunk.content_index}`);
    case "response.function_call_arguments.delta":
      return grow(state, itemOf(items, chunk, "function_call"), chunk.delta);
    case "response.function_call_arguments.done":
      return addMissingText(state, itemOf(items, chunk, "function_call"), chunk.arguments);
    case "response.output_item.added":
      return begin(state, chunk);
    case "response.output_item.done":
      return isObject(chunk.item) ? complete(state, chunk, chunk.item) : [state, []];
    case "response.completed":
    case "response.incomplete":
    case "response.cancelled":
    case "response.failed":
      return end(state, chunk);
    case "error":
      return [{ ...state, failure: chunk.error ?? chunk }, []];
    default:
      return [state, []];
  }
}

/** The events that end the answer. */
export function conclude({ items, usage, finish }: State): ModelEvent[] {
  const isComplete = finish?.raw === "completed";
  const inOrder = items.toSorted((a, b) => a.index - b.index);
  // A call that a limit has cut off is left out.
  const calls = inOrder.filter((item) => item.kind === "function_call" && (isComplete || isDone(item)));
  const wholes = inOrder.flatMap(({ whole }) => (whole ? [whole] : []));
  const native = isComplete && wholes.length === items.length ? nativeOf(wholes) : undefined;
  const reason = finish?.reason === "stop" && calls.length > 0 ? "tool_calls" : (finish?.reason ?? "other");
  return [
    ...calls.map(toToolCall),
    ...(usage ? [{ type: "usage", usage } as const] : []),
    { type: "finish", reason, ...(finish ? { raw: finish.raw } : {}), ...(native ? { native } : {}) },
  ];
}

/** The usage of an answer that was aborted. */
export function usageOfAborted(state: State, request: ModelRequest): Usage {
  return state.usage ?? estimateUsage(request, generatedText(state));
}

/** The text of the answer so far. */
export function textOf({ items }: State): string {
  return items
    .filter(({ kind, streamed }) => kind === "message" && streamed !== "")
    .map(({ streamed }) => streamed)
    .join("\n\n");
}

/** Everything that the model has generated so far: text, reasoning and arguments. */
export function generatedText({ items }: State): string {
  return items.map(({ streamed }) => streamed).join("");
}

/** Adds a piece to an item, after a blank line if a part, or an item of the same kind, came before it. */
function grow(state: State, item: OutputItem, delta: unknown, part?: string): [State, ModelEvent[]] {
  if (typeof delta !== "string" || delta === "" || item.whole) return [state, []];
  const isNewPart = part !== undefined && item.part !== part && item.streamed !== "";
  const streamed = item.streamed + (isNewPart ? `\n\n${delta}` : delta);
  const items = withItem(state.items, item, { ...item, streamed, ...(part === undefined ? {} : { part }) });
  const hasBreak = isNewPart || (item.streamed === "" && hasTextBefore(state, item));
  const events = piece(item, hasBreak ? `\n\n${delta}` : delta);
  return [{ ...state, items }, state.items.includes(item) ? events : [...announcement(item), ...events]];
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

/** Adds the end of a whole text that its pieces lack, as some servers omit pieces. Ignored if the two differ. */
function addMissingText(state: State, item: OutputItem, whole: unknown): [State, ModelEvent[]] {
  if (typeof whole !== "string" || !whole.startsWith(item.streamed)) return [state, []];
  return grow(state, item, whole.slice(item.streamed.length));
}

/** Adds a whole text, if no piece of the item came before: with more than one part they cannot be compared. */
function addWholeText(state: State, item: OutputItem, whole: unknown): [State, ModelEvent[]] {
  return item.streamed === "" ? grow(state, item, whole) : [state, []];
}

function begin(state: State, { item: begun, output_index: given }: Chunk): [State, ModelEvent[]] {
  if (!isObject(begun)) return [state, []];
  const { items } = state;
  const index = typeof given === "number" ? given : (items.at(-1)?.index ?? -1) + 1;
  const item = newItem(items, index, kindOf(begun), begun);
  return [{ ...state, items: [...items, item] }, announcement(item)];
}

function announcement(item: OutputItem): ModelEvent[] {
  if (item.kind !== "function_call") return [];
  const { call, id, name } = item;
  return [{ type: "tool_call_delta", index: call, id, ...(name ? { name } : {}), arguments: "" }];
}

function complete(state: State, chunk: Chunk, whole: WireItem): [State, ModelEvent[]] {
  const kind = kindOf(whole);
  const known = itemOf(state.items, chunk, kind);
  const isAnnounced = state.items.includes(known) && !known.whole;
  const item = isAnnounced ? known : newItem(state.items, known.index, kind, whole);
  const before = isAnnounced ? state : { ...state, items: withItem(state.items, item, item) };
  const [next, events] = addMissingText(before, item, wholeText(kind, whole));
  const grown = itemOf(next.items, chunk, kind);
  const name = typeof whole.name === "string" ? whole.name : grown.name;
  return [
    { ...next, items: withItem(next.items, grown, { ...grown, name, whole: whole as JsonObject }) },
    isAnnounced ? events : [...announcement(item), ...events],
  ];
}

function end(state: State, { type, response }: Chunk): [State, ModelEvent[]] {
  const { status, error, usage, incomplete_details: details, output } = isObject(response) ? response : {};
  const suffix = type.slice("response.".length);
  // Some servers end every answer with `response.completed` and tell by the status how it went.
  const ending = suffix === "completed" && typeof status === "string" && otherEndings.has(status) ? status : suffix;
  if (ending === "failed") return [{ ...state, failure: error ?? {} }, []];
  const [whole, events] = addMissingItems(state, output);
  const reason = isObject(details) && typeof details.reason === "string" ? details.reason : ending;
  const raw = ending === "incomplete" ? reason : ending;
  const finish = { reason: reasons.get(raw) ?? "other", raw };
  return [{ ...whole, ...(isObject(usage) ? { usage: toUsage(usage) } : {}), finish }, events];
}

const otherEndings: ReadonlySet<string> = new Set(["incomplete", "failed", "cancelled"]);

const reasons: ReadonlyMap<string, FinishReason> = new Map([
  ["completed", "stop"],
  ["max_output_tokens", "length"],
  // The answer was cut off and the server does not say why.
  ["incomplete", "length"],
  ["content_filter", "content_filter"],
]);

/** Adds the items that only the last event of the stream holds. */
function addMissingItems(state: State, output: unknown): [State, ModelEvent[]] {
  if (!Array.isArray(output)) return [state, []];
  const received = state.items.filter(({ whole }) => whole).map(({ kind }) => kind);
  const hasReceived = received.length > 0;
  let next = state;
  const events: ModelEvent[] = [];
  for (const [position, item] of output.entries()) {
    if (!isObject(item)) continue;
    // Matched by kind and order: an item may have another id here than it had in the stream.
    const known = received.indexOf(kindOf(item));
    if (known !== -1) received.splice(known, 1);
    if (known !== -1 || (hasReceived && !isEssential(item))) continue;
    // The index of pieces that came before counts, because the list may hold items that the stream did not.
    const begun = next.items.find(({ kind, whole }) => kind === kindOf(item) && !whole);
    const chunk = { type: "response.output_item.done", output_index: begun?.index ?? position };
    const [after, more] = complete(next, chunk, item);
    next = after;
    events.push(...more);
  }
  return [next, events];
}

/** Whether the answer would lose text or a call without this item. */
function isEssential(item: WireItem): boolean {
  return item.type === "message" || item.type === "function_call";
}

function toToolCall({ id, name, streamed, whole }: OutputItem): ModelEvent {
  const final = whole ? argumentsOf(whole) : undefined;
  const text = typeof final === "string" ? final : streamed;
  return { type: "tool_call", id, name, arguments: text.trim() === "" ? "{}" : text };
}

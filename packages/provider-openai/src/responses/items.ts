import type { JsonObject } from "@cogency/protocol";
import { callId, isObject, stringOf } from "@cogency/provider/http";
import { argumentsOf, type Chunk, messageText, reasoningText, type WireItem } from "./wire.ts";

/** The part of an output item that has been received. */
export interface OutputItem {
  /** The item's position in the answer, as the server counts. */
  readonly index: number;
  /** The server's id of the item; some servers send another one with every event. */
  readonly itemId: unknown;
  readonly kind: Kind;
  /** The text, or the arguments, that events have carried so far. */
  readonly streamed: string;
  /** Of reasoning: the part that the last piece belongs to. */
  readonly part?: string;
  /** Of a call: its number among the calls, counted from 0. */
  readonly call: number;
  /** Of a call: the server's id if that is well formed and unique in the answer, otherwise one of ours. */
  readonly id: string;
  readonly name: string;
  /** The complete item, once the server has sent it. */
  readonly whole?: JsonObject;
}

export type Kind = "message" | "reasoning" | "function_call" | "other";

export function kindOf({ type }: WireItem): Kind {
  return type === "message" || type === "reasoning" || type === "function_call" ? type : "other";
}

export function newItem(
  items: readonly OutputItem[],
  index: number,
  kind: Kind,
  { id: itemId, call_id, name }: WireItem = {},
): OutputItem {
  const call = items.filter((item) => item.kind === "function_call").length;
  const item = { index, itemId, kind, streamed: "", call };
  if (kind !== "function_call") return { ...item, id: "", name: "" };
  const id = callId(call_id, call, (taken) => items.some((other) => other.id === taken));
  return { ...item, id, name: stringOf(name) };
}

/** The item that a chunk belongs to: by its index, else by its id. A new item if the server did not announce it. */
export function itemOf(items: readonly OutputItem[], chunk: Chunk, kind: Kind): OutputItem {
  const { output_index: given, item_id, item } = chunk;
  const id = item_id ?? (isObject(item) ? item.id : undefined);
  const named = id === undefined ? undefined : items.findLast((each) => each.itemId === id && each.kind === kind);
  const index = typeof given === "number" ? given : (named ?? items.at(-1))?.index;
  return (
    items.findLast((each) => each.index === (index ?? 0) && each.kind === kind) ??
    newItem(items, index ?? 0, kind, { id })
  );
}

export function withItem(items: readonly OutputItem[], old: OutputItem, item: OutputItem): readonly OutputItem[] {
  const position = items.lastIndexOf(old);
  return position === -1 ? [...items, item] : items.with(position, item);
}

/** The text, or the arguments, of a complete item. */
export function wholeText(kind: Kind, whole: WireItem): unknown {
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

/** Whether the server has sent the item and did not cut it off. */
export function isDone({ whole }: OutputItem): boolean {
  return whole !== undefined && whole.status !== "incomplete" && whole.status !== "in_progress";
}

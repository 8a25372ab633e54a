import type { JsonObject } from "@cogency/protocol";
import type { ModelEvent } from "@cogency/provider";
import { callId, isCallId } from "@cogency/provider/http";
import { isJsonObject } from "../wire-values.ts";
import {
  addArguments,
  addsNothing,
  areComplete,
  argumentsText,
  type CallArguments,
  canGrow,
  noArguments,
} from "./call-arguments.ts";
import type { WireCall } from "./wire.ts";
import { withFields } from "./with-fields.ts";

/** A call of which pieces have arrived. */
export interface PendingCall {
  /** The latest of the indexes that the server has used for it. */
  readonly indexes: readonly number[];
  /** The server's; empty until the server sends one. */
  readonly id: string;
  readonly name: string;
  readonly arguments: CallArguments;
  /** Opaque; the server wants it back with the call. */
  readonly extra?: JsonObject;
}

/**
 * Adds one piece and returns the calls and the event of the piece. The index of the event is the position of the call in
 * the list, not the server's index.
 */
export function addCall(calls: readonly PendingCall[], piece: WireCall): [readonly PendingCall[], ModelEvent] {
  const id = piece.id ?? "";
  const name = piece.function?.name ?? "";
  const labels = { index: piece.index ?? undefined, id, name, addition: piece.function?.arguments ?? "" };
  const position = positionOf(calls, labels);
  const call = calls[position] ?? { indexes: [], id: "", name: "", arguments: noArguments };
  const [after, text] = addArguments(call.arguments, piece.function?.arguments);
  const grown: PendingCall = {
    indexes: withIndex(call.indexes, piece.index),
    id: call.id || id,
    name: call.name || name,
    arguments: after,
    ...withExtra(call.extra, piece.extra_content),
  };
  const event: ModelEvent = { type: "tool_call_delta", index: position, arguments: text };
  if (call.id === "" && isCallId(id) && !calls.some((other) => other.id === id)) event.id = id;
  if (call.name === "" && name !== "") event.name = name;
  return [position < calls.length ? calls.with(position, grown) : [...calls, grown], event];
}

/** The events of the whole calls, in the order in which they began. Each call has an id that no other call has. */
export function wholeCalls(calls: readonly PendingCall[]): ModelEvent[] {
  const given = new Set(calls.map(({ id }) => id));
  const used = new Set<string>();
  return calls.map((call, position) => {
    const isFirst = !used.has(call.id);
    // A new id must not equal one that the server gives to a later call.
    const id = callId(
      isFirst ? call.id : "",
      position,
      (other) => used.has(other) || (other !== call.id && given.has(other)),
    );
    used.add(id);
    return { type: "tool_call", id, name: call.name, arguments: argumentsText(call.arguments) || "{}" };
  });
}

interface Labels {
  index: number | undefined;
  id: string;
  name: string;
  /** The arguments of the piece. */
  addition: unknown;
}

/**
 * The position of the call that a piece belongs to; `calls.length` if it begins a new call. Ids and indexes are only
 * hints: servers omit them, use them twice or count them up with every piece. Of several calls that match, the newest
 * is taken.
 */
function positionOf(calls: readonly PendingCall[], labels: Labels): number {
  const { index, id } = labels;
  const hasIndex = (call: PendingCall) => index !== undefined && call.indexes.includes(index);
  if (id !== "") {
    const both = calls.findLastIndex((call) => call.id === id && hasIndex(call));
    const known = both !== -1 ? both : calls.findLastIndex((call) => call.id === id);
    if (known !== -1) return continues(calls, known, labels) ? known : calls.length;
  }
  const newest = calls.length - 1;
  const position = index === undefined ? newest : calls.findLastIndex(hasIndex);
  if (position !== -1) return continues(calls, position, labels) ? position : calls.length;
  // An index that no call has, without id and name: the rest of a call that began under another index.
  const last = calls[newest];
  return last && id === "" && labels.name === "" && !areComplete(last.arguments) ? newest : calls.length;
}

/** Whether a piece with these labels can continue the call at this position instead of beginning another. */
function continues(calls: readonly PendingCall[], position: number, labels: Labels): boolean {
  const { index, id, name, addition } = labels;
  const call = calls[position];
  if (!call) return false;
  const isRenamed = name !== "" && call.name !== "" && name !== call.name;
  if (isRenamed) return false;
  const hasBegun = call.arguments.latest !== "";
  const isNewId = id !== "" && call.id !== "" && id !== call.id;
  if (isNewId) return (hasBegun || name === "") && canGrow(call.arguments, addition);
  if (name === "" || call.name === "") return true;
  // The name again: the server repeats it with every piece, or a second call of the same tool begins.
  const isSameCall = index === undefined ? id !== "" : call.indexes.includes(index);
  if (isSameCall && (!hasBegun || addsNothing(call.arguments, addition))) return true;
  return hasBegun && canGrow(call.arguments, addition);
}

function withIndex(indexes: readonly number[], index: number | null | undefined): readonly number[] {
  if (typeof index !== "number" || indexes.includes(index)) return indexes;
  return [...indexes.slice(1 - mostIndexes), index];
}

/** Limited, because a server may count the index up with every piece. */
const mostIndexes = 16;

function withExtra(before: JsonObject | undefined, extra: unknown): { extra?: JsonObject } {
  if (!isJsonObject(extra)) return before ? { extra: before } : {};
  return { extra: before ? withFields(before, extra) : extra };
}

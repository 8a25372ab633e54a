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
import { withFields } from "./with-fields.ts";

/** A piece of a call, as far as it is what the wire documents; servers leave anything out, or send null for it. */
export interface WireCall {
  index?: number | null;
  id?: string | null;
  function?: { name?: string | null; arguments?: unknown } | null;
  /** Gemini's: the signature of the thought that led to the call. */
  extra_content?: unknown;
}

/** A call of which pieces have arrived. */
export interface PendingCall {
  /** The indexes that the server has used for it, the latest of them. */
  readonly indexes: readonly number[];
  /** The server's; empty as long as there is none. */
  readonly id: string;
  readonly name: string;
  readonly arguments: CallArguments;
  /** What the server wants back with the call; its own business. */
  readonly extra?: JsonObject;
}

/** Take in one piece: the calls with it, and its event. The event's index is the call's place, whatever the server's is. */
export function addCall(calls: readonly PendingCall[], piece: WireCall): [readonly PendingCall[], ModelEvent] {
  const id = piece.id ?? "";
  const name = piece.function?.name ?? "";
  const place = placeOf(calls, { index: piece.index ?? undefined, id, name, said: piece.function?.arguments ?? "" });
  const call = calls[place] ?? { indexes: [], id: "", name: "", arguments: noArguments };
  const [after, text] = addArguments(call.arguments, piece.function?.arguments);
  const grown: PendingCall = {
    indexes: withIndex(call.indexes, piece.index),
    id: call.id || id,
    name: call.name || name,
    arguments: after,
    ...withExtra(call.extra, piece.extra_content),
  };
  const event: ModelEvent = { type: "tool_call_delta", index: place, arguments: text };
  if (call.id === "" && isCallId(id) && !calls.some((other) => other.id === id)) event.id = id;
  if (call.name === "" && name !== "") event.name = name;
  return [place < calls.length ? calls.with(place, grown) : [...calls, grown], event];
}

/** The whole calls, in the order in which they began, each with an id of its own. */
export function wholeCalls(calls: readonly PendingCall[]): ModelEvent[] {
  const given = new Set(calls.map(({ id }) => id));
  const used = new Set<string>();
  return calls.map((call, place) => {
    const isFirst = !used.has(call.id);
    // A new id must not be one that the server gives to a later call, either.
    const id = callId(
      isFirst ? call.id : "",
      place,
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
  said: unknown;
}

/**
 * Which call a piece belongs to, by its place; one after the last for a new one. Ids and indexes are only hints: servers
 * leave them out, use them twice or count them up with every piece. The newest call that fits is meant.
 */
function placeOf(calls: readonly PendingCall[], labels: Labels): number {
  const { index, id } = labels;
  const hasIndex = (call: PendingCall) => index !== undefined && call.indexes.includes(index);
  if (id !== "") {
    const both = calls.findLastIndex((call) => call.id === id && hasIndex(call));
    const known = both !== -1 ? both : calls.findLastIndex((call) => call.id === id);
    if (known !== -1) return continues(calls, known, labels) ? known : calls.length;
  }
  const newest = calls.length - 1;
  const place = index === undefined ? newest : calls.findLastIndex(hasIndex);
  if (place !== -1) return continues(calls, place, labels) ? place : calls.length;
  // An index that nobody has, and nothing else: the rest of a call that began under another one.
  const last = calls[newest];
  return last && id === "" && labels.name === "" && !areComplete(last.arguments) ? newest : calls.length;
}

/** Whether a piece with these labels can be more of the call at this place, rather than the beginning of another. */
function continues(calls: readonly PendingCall[], place: number, { index, id, name, said }: Labels): boolean {
  const call = calls[place];
  if (!call) return false;
  const isRenamed = name !== "" && call.name !== "" && name !== call.name;
  if (isRenamed) return false;
  const hasBegun = call.arguments.latest !== "";
  const isNewId = id !== "" && call.id !== "" && id !== call.id;
  if (isNewId) return (hasBegun || name === "") && canGrow(call.arguments, said);
  if (name === "" || call.name === "") return true;
  // Its name once more: with every piece, or because a second call of the same tool begins.
  const isSamePlace = index === undefined ? id !== "" : call.indexes.includes(index);
  if (isSamePlace && (!hasBegun || addsNothing(call.arguments, said))) return true;
  return hasBegun && canGrow(call.arguments, said);
}

function withIndex(indexes: readonly number[], index: number | null | undefined): readonly number[] {
  if (typeof index !== "number" || indexes.includes(index)) return indexes;
  return [...indexes.slice(1 - mostIndexes), index];
}

/** A server may count the index up with every piece. */
const mostIndexes = 16;

function withExtra(before: JsonObject | undefined, extra: unknown): { extra?: JsonObject } {
  if (!isJsonObject(extra)) return before ? { extra: before } : {};
  return { extra: before ? withFields(before, extra) : extra };
}

import type { AssistantMessage, Json, JsonObject } from "@cogency/protocol";
import { isSameJson } from "../../request/same-json.ts";
import { isObject } from "./wire-values.ts";

/** How a wire reads the native items of an answer: its blocks, its parts, its output items. */
export interface NativeRules {
  /** The text that an item adds to the message; empty if it adds none. */
  textOf(item: JsonObject): string;
  /** The call that an item makes; undefined if it makes none. */
  callOf(item: JsonObject): { name: unknown; args: unknown } | undefined;
  /** The item with another id of its call. */
  withId(item: JsonObject, id: string): JsonObject;
}

/**
 * The native items of an earlier answer as they were received, if this provider and model made them and they still match
 * the message; otherwise undefined. Calls take the ids of the message, because the log may know them by other ids than the
 * server does, and results name those.
 */
export function replayNative(
  { content, native, calls = [] }: AssistantMessage,
  owner: { readonly name: string; readonly model: string },
  { textOf, callOf, withId }: NativeRules,
): JsonObject[] | undefined {
  if (native?.provider !== owner.name || native.model !== owner.model || !areItems(native.data)) return undefined;
  const items = native.data;
  // An answer in the text protocol came with markup, which a native message leaves out.
  if (withoutSpace(items.map(textOf).join("")) !== withoutSpace(content)) return undefined;
  const remaining = [...calls];
  const replayed: JsonObject[] = [];
  for (const item of items) {
    const made = callOf(item);
    const call = made && remaining.shift();
    if (made && !(call && call.name === made.name && isSameJson(call.args, made.args))) return undefined;
    replayed.push(call ? withId(item, call.id) : item);
  }
  return remaining.length === 0 ? replayed : undefined;
}

function areItems(data: Json): data is JsonObject[] {
  return Array.isArray(data) && data.length > 0 && data.every(isObject);
}

/** The log does not keep layout. */
function withoutSpace(text: string): string {
  return text.replace(/\s+/g, "");
}

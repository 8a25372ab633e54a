import type Anthropic from "@anthropic-ai/sdk";
import type { AssistantMessage, Json, JsonObject } from "@cogency/protocol";
import { isObject } from "../wire-values.ts";

export const providerName = "anthropic";

/**
 * The blocks of an earlier answer as the server gave them, for the model that gave them; undefined if they are another
 * model's, or call something else than the message does: then they are left out wholly. Only the ids of calls are the
 * message's, because the results name them.
 */
export function replayableBlocks(
  { native, calls = [] }: AssistantMessage,
  model: string,
): Anthropic.ContentBlockParam[] | undefined {
  if (native?.provider !== providerName || native.model !== model || !isBlocks(native.data)) return undefined;
  const blocks = native.data;
  const asked = blocks.filter(({ type }) => type === "tool_use");
  const agree = asked.length === calls.length && asked.every((block, index) => isSameCall(block, calls[index]));
  if (!agree) return undefined;
  const ids = calls.values();
  return asContent(
    blocks.map((block) => (block.type === "tool_use" ? { ...block, id: ids.next().value?.id ?? "" } : block)),
  );
}

/** What a server has sent it takes back, also what the SDK knows nothing of. */
export function asContent(blocks: readonly JsonObject[]): Anthropic.ContentBlockParam[] {
  return blocks as readonly unknown[] as Anthropic.ContentBlockParam[];
}

function isBlocks(data: Json): data is JsonObject[] {
  return (
    Array.isArray(data) && data.length > 0 && data.every((block) => isObject(block) && typeof block.type === "string")
  );
}

function isSameCall({ name, input }: JsonObject, call: { name: string; args: JsonObject } | undefined): boolean {
  return call !== undefined && name === call.name && isSameJson(input, call.args);
}

/** A store may give the fields of an object back in another order. */
function isSameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((value, index) => isSameJson(value, b[index]));
  }
  if (!isObject(a)) return a === b;
  if (!isObject(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isSameJson(a[name] as Json, b[name] as Json))
  );
}

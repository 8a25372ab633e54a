import type { Json, JsonObject } from "@cogency/protocol";
import type { CallItem, Item } from "./reduce.ts";

/**
 * The blocks of an answer as parts of a later prompt, which `replay` reads. Undefined if they hold no more than text and calls, which a
 * message has anyway.
 */
export function nativeOf(items: readonly Item[]): JsonObject[] | undefined {
  const blocks = items.flatMap(toBlock);
  return blocks.some(hasMore) ? blocks : undefined;
}

function hasMore(block: JsonObject): boolean {
  const isPlain = block.type === "text" || (block.type === "tool-call" && block.providerExecuted !== true);
  return !isPlain || "providerOptions" in block;
}

function toBlock(item: Item): JsonObject[] {
  if (item.type === "kept") return [item.item];
  const providerOptions = item.metadata ? { providerOptions: item.metadata } : {};
  if (item.type === "call") {
    const { id: toolCallId, name: toolName } = item;
    return [{ type: "tool-call", toolCallId, toolName, input: inputOf(item), ...providerOptions }];
  }
  const { type, text } = item;
  // A signature may stand on an empty text.
  return text === "" && !item.metadata ? [] : [{ type, text, ...providerOptions }];
}

/** Text that is no JSON matches no call of the message, so that these blocks are left out. */
function inputOf({ input = "" }: CallItem): Json {
  if (input.trim() === "") return {};
  try {
    return JSON.parse(input) as Json;
  } catch {
    return input;
  }
}

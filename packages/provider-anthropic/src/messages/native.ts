import type Anthropic from "@anthropic-ai/sdk";
import type { AssistantMessage, Json, JsonObject } from "@cogency/protocol";
import { isSameJson } from "@cogency/provider/http";
import { isObject } from "../wire-values.ts";
import { type Block, isServerCall, wholeBlock } from "./blocks.ts";

export const providerName = "anthropic";

/**
 * The blocks of an answer, if they hold more than its text and its calls and the server accepts them back in a later request;
 * otherwise undefined.
 */
export function nativeOf(blocks: readonly Block[], stopReason: string | undefined): JsonObject[] | undefined {
  return blocks.some(hasMore) && !isUnanswered(blocks, stopReason) ? wholeContent(blocks) : undefined;
}

function hasMore({ start, citations }: Block): boolean {
  return citations.length > 0 || (start.type !== "text" && start.type !== "tool_use");
}

/**
 * Whether a tool of the server has given no result. Only that server can continue then, after a pause or when it has the
 * results of our own calls: as a part of an earlier message it refuses such a block.
 */
function isUnanswered(blocks: readonly Block[], stopReason: string | undefined): boolean {
  if (stopReason === "tool_use") return false;
  const answered = new Set(blocks.map(({ start }) => start.tool_use_id));
  return blocks.some((block) => isServerCall(block) && !answered.has(block.start.id));
}

/**
 * Every block as the server accepts it back, without blank texts, which it refuses. Undefined if one block is not whole or
 * if the last one is thinking, which the server refuses too.
 */
export function wholeContent(blocks: readonly Block[]): JsonObject[] | undefined {
  const content = blocks.map(wholeBlock).filter((block) => block !== undefined);
  if (content.length < blocks.length) return undefined;
  const sent = content.filter((block) => !isBlankText(block));
  const last = sent.at(-1);
  return last && !isThinking(last) ? sent : undefined;
}

function isBlankText(block: JsonObject): boolean {
  return block.type === "text" && typeof block.text === "string" && block.text.trim() === "";
}

function isThinking({ type }: JsonObject): boolean {
  return type === "thinking" || type === "redacted_thinking";
}

/**
 * The blocks of an earlier answer as they were received, if this model made them and they still match the message;
 * otherwise undefined. Calls take the ids of the message, because its results name those.
 */
export function replay(
  { content, native, calls = [] }: AssistantMessage,
  model: string,
): Anthropic.ContentBlockParam[] | undefined {
  if (native?.provider !== providerName || native.model !== model || !isBlocks(native.data)) return undefined;
  const blocks = native.data;
  // An answer in the text protocol came with markup, which a native message leaves out.
  const text = blocks.map((block) => (block.type === "text" ? block.text : "")).join("");
  if (withoutSpace(text) !== withoutSpace(content)) return undefined;
  const asked = blocks.filter(({ type }) => type === "tool_use");
  const agree = asked.length === calls.length && asked.every((block, index) => isSameCall(block, calls[index]));
  if (!agree) return undefined;
  const ids = calls.values();
  return asContent(
    blocks.map((block) => (block.type === "tool_use" ? { ...block, id: ids.next().value?.id ?? "" } : block)),
  );
}

/** The server accepts any block that it has sent, including those that the SDK's types do not know. */
export function asContent(blocks: readonly JsonObject[]): Anthropic.ContentBlockParam[] {
  return blocks as readonly unknown[] as Anthropic.ContentBlockParam[];
}

/** The log does not keep layout. */
function withoutSpace(text: string): string {
  return text.replace(/\s+/g, "");
}

function isBlocks(data: Json): data is JsonObject[] {
  return (
    Array.isArray(data) && data.length > 0 && data.every((block) => isObject(block) && typeof block.type === "string")
  );
}

function isSameCall({ name, input }: JsonObject, call: { name: string; args: JsonObject } | undefined): boolean {
  return call !== undefined && name === call.name && isSameJson(input, call.args);
}

import type Anthropic from "@anthropic-ai/sdk";
import type { AssistantMessage, JsonObject } from "@cogency/protocol";
import { type NativeRules, replayNative, stringOf } from "@cogency/provider/http";
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

/** The blocks of an earlier answer of this model, as {@link replayNative} reads them. */
export function replay(message: AssistantMessage, model: string): Anthropic.ContentBlockParam[] | undefined {
  const blocks = replayNative(message, { name: providerName, model }, rules);
  return blocks && asContent(blocks);
}

const rules: NativeRules = {
  textOf: ({ type, text }) => (type === "text" ? stringOf(text) : ""),
  callOf: ({ type, name, input }) => (type === "tool_use" ? { name, args: input } : undefined),
  withId: (block, id) => ({ ...block, id }),
};

/** The server accepts any block that it has sent, including those that the SDK's types do not know. */
export function asContent(blocks: readonly JsonObject[]): Anthropic.ContentBlockParam[] {
  return blocks as readonly unknown[] as Anthropic.ContentBlockParam[];
}

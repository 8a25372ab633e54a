import type Anthropic from "@anthropic-ai/sdk";

export interface BlockMessage {
  role: "user" | "assistant";
  content: Anthropic.ContentBlockParam[];
}

/**
 * Marks the last block of each of the user's last two messages. The first mark is where the previous request had its last
 * one, so this request reads from the cache everything that the previous one sent. Without it, the server would look back
 * only 20 blocks, and a step with more blocks would miss the cache. The second mark is where the next request will read.
 */
export function markLastBlocks(
  messages: readonly BlockMessage[],
  cacheControl: Anthropic.CacheControlEphemeral,
): BlockMessage[] {
  const last = messages.findLastIndex(isUser);
  const before = messages.findLastIndex((message, index) => index < last && isUser(message));
  return messages.map((message, index) =>
    index === last || index === before ? marked(message, cacheControl) : message,
  );
}

function isUser({ role }: BlockMessage): boolean {
  return role === "user";
}

function marked({ role, content }: BlockMessage, cacheControl: Anthropic.CacheControlEphemeral): BlockMessage {
  const last = content.length - 1;
  // A user's message holds only texts, results, images and documents, and all accept a mark.
  const blocks = content.map((block, index) => (index === last ? { ...block, cache_control: cacheControl } : block));
  return { role, content: blocks as Anthropic.ContentBlockParam[] };
}

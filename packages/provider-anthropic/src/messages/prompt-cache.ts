import type Anthropic from "@anthropic-ai/sdk";

export interface BlockMessage {
  role: "user" | "assistant";
  content: Anthropic.ContentBlockParam[];
}

/**
 * The messages with a mark on the last block of the user's last two messages. The first mark is where the turn before
 * had its own, so that this turn reads from the cache all that the turn before has sent, however many blocks stand in
 * between (by itself the server looks no further back than 20 blocks); the second is where the next turn will read.
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
  // Only texts and results are sent as the user's, and both take a mark.
  const blocks = content.map((block, index) => (index === last ? { ...block, cache_control: cacheControl } : block));
  return { role, content: blocks as Anthropic.ContentBlockParam[] };
}

import type Anthropic from "@anthropic-ai/sdk";
import type { BlockMessage } from "./prompt-cache.ts";

interface Thought {
  thinking: Anthropic.ThinkingConfigParam | undefined;
  messages: BlockMessage[];
}

/**
 * The setting and the messages that the server takes together. A budget for thinking holds for a whole turn of calls: where the
 * results of calls come last, the message that called must begin with thinking. If another model has made it, or this one without
 * thinking, the request goes without thinking; so the rest of the turn does, and the next turn thinks again.
 *
 * A request without thinking must not hold thinking in its last answer. It leaves out all of it, so that later requests of the turn
 * begin with the same bytes.
 */
export function settleThinking(
  configured: Anthropic.ThinkingConfigParam | undefined,
  messages: BlockMessage[],
): Thought {
  const isOff = configured?.type === "disabled" || (configured?.type === "enabled" && isOpenWithoutThinking(messages));
  if (!isOff) return { thinking: configured, messages };
  return {
    thinking: { type: "disabled" },
    messages: messages
      .map((message) =>
        message.role === "user"
          ? message
          : { ...message, content: message.content.filter((block) => !isThinking(block)) },
      )
      .filter(({ content }) => content.length > 0),
  };
}

function isOpenWithoutThinking(messages: readonly BlockMessage[]): boolean {
  const hasResults = messages.at(-1)?.content.some(({ type }) => type === "tool_result") === true;
  const first = messages.at(-2)?.content[0];
  return hasResults && !(first && isThinking(first));
}

function isThinking({ type }: { type: string }): boolean {
  return type === "thinking" || type === "redacted_thinking";
}

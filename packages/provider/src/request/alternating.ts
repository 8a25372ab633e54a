import type { AssistantMessage, MessagePart, ModelMessage, UserMessage } from "@cogency/protocol";

/**
 * The conversation with roles in the order that strict servers demand: it begins and ends with the user, or ends with results;
 * user and assistant take turns; and the assistant speaks between results and the user. Adjacent messages of one role become
 * one, and empty ones of the assistant are left out.
 *
 * Chat templates of Mistral and Gemma refuse every other order with `Conversation roles must alternate
 * user/assistant/user/assistant/...` (vllm-project/vllm#6862), Mistral's API with `Unexpected role 'user' after role 'tool'`
 * (NousResearch/hermes-agent#20154), and newer models of Anthropic with `The conversation must end with a user message`
 * (anthropics/claude-code#52433).
 *
 * A conversation that extends another one extends its result too, except for what follows its last message.
 */
export function alternating(messages: readonly ModelMessage[]): ModelMessage[] {
  const turns: ModelMessage[] = [];
  for (const message of messages) {
    if (message.role === "assistant" && message.content.trim() === "" && !message.calls?.length) continue;
    const last = turns.at(-1);
    const joined = last && join(last, message);
    if (joined) turns[turns.length - 1] = joined;
    else turns.push(...bridge(last, message), message);
  }
  return endsWithAnswer(turns) ? [...turns, { role: "user", content: goOn }] : turns;
}

/** What a conversation begins with if its first message is of the assistant. */
export const beginning = "(What was said before is not shown.)";

/** What a conversation ends with if its last message is of the assistant. */
export const goOn = "(Go on.)";

const noAnswer = "(no answer)";

function endsWithAnswer(turns: readonly ModelMessage[]): boolean {
  const last = turns.at(-1);
  return last?.role === "assistant" && !last.calls?.length;
}

function bridge(last: ModelMessage | undefined, { role }: ModelMessage): ModelMessage[] {
  if (!last) return role === "user" ? [] : [{ role: "user", content: beginning }];
  return last.role === "tool" && role === "user" ? [{ role: "assistant", content: noAnswer }] : [];
}

function join(last: ModelMessage, message: ModelMessage): ModelMessage | undefined {
  if (last.role === "user" && message.role === "user") {
    return { role: "user", content: joinedContent(last.content, message.content) };
  }
  // Calls must be followed by their results.
  if (last.role !== "assistant" || message.role !== "assistant" || last.calls?.length) return undefined;
  const content = [last.content, message.content].filter((text) => text.trim() !== "").join("\n\n");
  const { calls, native } = message;
  // Native blocks stand for one answer; those of the message that has calls are the ones that the server may demand.
  const joined: AssistantMessage = { role: "assistant", content };
  return { ...joined, ...(calls && { calls }), ...(calls?.length && native && { native }) };
}

function joinedContent(first: UserMessage["content"], second: UserMessage["content"]): UserMessage["content"] {
  if (typeof first === "string" && typeof second === "string") return `${first}\n\n${second}`;
  return [...partsOf(first), ...partsOf(second)];
}

function partsOf(content: UserMessage["content"]): readonly MessagePart[] {
  return typeof content === "string" ? [{ kind: "text", text: content }] : content;
}

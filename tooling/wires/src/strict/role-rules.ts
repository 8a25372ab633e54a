import { isObject, type Schema } from "./json-schema.ts";

/**
 * What the chat template of Mistral's models says of an order of messages; undefined if it renders them. Messages with calls and
 * results do not count for the turns. https://huggingface.co/mistralai/Mistral-7B-Instruct-v0.3, and for the roles after results
 * https://github.com/mistralai/mistral-common.
 */
export function mistralProblem(messages: readonly Schema[]): string | undefined {
  const turns = messages[0]?.role === "system" ? messages.slice(1) : messages;
  const misplaced = turns.findIndex(({ role }, index) => role === "user" && turns[index - 1]?.role === "tool");
  if (misplaced !== -1) return "Unexpected role 'user' after role 'tool'";
  const counted = turns.filter((message) => message.role !== "tool" && !Array.isArray(message.tool_calls));
  const isTurn = ({ role }: Schema, index: number) => role === (index % 2 === 0 ? "user" : "assistant");
  if (!counted.every(isTurn)) {
    return "After the optional system message, conversation roles must alternate user/assistant/user/assistant/...";
  }
  const last = turns.at(-1)?.role;
  return last === "user" || last === "tool" ? undefined : `Expected last role User or Tool for serving but got ${last}`;
}

/** What the template of Gemma 2 says, which has no place for a system prompt either. */
export function gemmaProblem(messages: readonly Schema[]): string | undefined {
  if (messages[0]?.role === "system") return "System role not supported";
  const isTurn = ({ role }: Schema, index: number) => (role === "assistant") === (index % 2 === 1);
  return messages.every(isTurn) ? undefined : "Conversation roles must alternate user/assistant/user/assistant/...";
}

/** What OpenAI's server says of calls without results. */
export function callProblem(messages: readonly Schema[]): string | undefined {
  for (const [index, { tool_calls: calls }] of messages.entries()) {
    if (!Array.isArray(calls)) continue;
    const answers = messages.slice(index + 1, index + 1 + calls.length);
    const ids = calls.filter(isObject).map(({ id }) => id);
    if (!ids.every((id) => answers.some((message) => message.role === "tool" && message.tool_call_id === id))) {
      return "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.";
    }
  }
  return undefined;
}

import type { ModelMessage } from "@cogency/protocol";
import { callback, checkOption, required } from "@cogency/protocol/options";
import type { History } from "./history.ts";

/**
 * Changes the messages of each request, such as to leave out long results of earlier turns. The log stays as it is. Messages of turns
 * that are over are the same objects in every request, and must not be changed; give other ones.
 *
 * What the function gives must be a request that providers take. If it is none, or if the function throws, the run fails with `driver`.
 *
 * @throws TypeError
 */
export function transform(change: (messages: readonly ModelMessage[]) => readonly ModelMessage[]): History {
  checkOption("transform", "change", change, required({ ...callback, wanted: "a function from messages to messages" }));
  return {
    transform(messages) {
      const changed = change(messages);
      const problem = changed === messages ? undefined : problemOf(changed);
      if (problem !== undefined) throw new TypeError(`The function of transform gave ${problem}.`);
      return changed;
    },
  };
}

function problemOf(messages: unknown): string | undefined {
  if (!Array.isArray(messages)) return "no array of messages";
  const odd = messages.findIndex((message) => !isMessage(message));
  if (odd !== -1) return `something else than a message as message ${odd + 1}`;
  if (messages[0]?.role !== "user") return "messages that do not begin with one of the user";
  if (messages.at(-1).role === "assistant") return "messages that end with one of the assistant";
  const at = messages.findIndex((message, index) => idsIn(message, "assistant") !== idsIn(messages[index + 1], "tool"));
  return at === -1
    ? undefined
    : `message ${at + 1} and the one after it: not every call has its result, in their order`;
}

function isMessage(value: unknown): boolean {
  const { role, content, results } = (value ?? {}) as { role?: unknown; content?: unknown; results?: unknown };
  if (role === "tool") return Array.isArray(results);
  return typeof content === "string"
    ? role === "user" || role === "assistant"
    : role === "user" && Array.isArray(content);
}

/** The ids of calls, or of results. */
function idsIn(message: ModelMessage | undefined, role: "assistant" | "tool"): string {
  if (message?.role !== role) return "";
  const entries = message.role === "assistant" ? message.calls : message.role === "tool" ? message.results : undefined;
  return (entries ?? []).map(({ id }) => id).join(" ");
}

import type { ModelMessage } from "@cogency/protocol";
import { show } from "@cogency/protocol/testkit";
import type { ModelRequest } from "@cogency/provider";

/** Why no provider could send the request; undefined if it is valid. */
export function requestProblem({ system, messages, tools = [] }: ModelRequest): string | undefined {
  if (typeof system !== "string") return `\`system\` is ${show(system)}, not a text.`;
  if (messages.length === 0) return "There are no messages.";
  if (messages.at(-1)?.role === "assistant")
    return "The last message is the assistant's, so the model has nothing to answer.";
  const names = tools.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) return `Two tools have the name ${show(twice)}.`;
  const ids = new Set<string>();
  for (const [at, message] of messages.entries()) {
    const problem = messageProblem(message, messages[at - 1], messages[at + 1], ids);
    if (problem !== undefined) return `Message ${at + 1} of ${messages.length}: ${problem} It is ${show(message)}.`;
  }
  return undefined;
}

function messageProblem(
  message: ModelMessage,
  before: ModelMessage | undefined,
  after: ModelMessage | undefined,
  ids: Set<string>,
): string | undefined {
  switch (message.role) {
    case "user":
      return userProblem(message.content);
    case "assistant": {
      const { content, calls = [] } = message;
      if (typeof content !== "string") return "Its content is not a text.";
      if (content === "" && calls.length === 0) return "It is empty.";
      for (const { id, name } of calls) {
        if (!/^[\w-]{1,40}$/.test(id)) return `The id ${show(id)} does not match [A-Za-z0-9_-]{1,40}.`;
        if (ids.has(id)) return `The id ${show(id)} names two calls.`;
        if (!/^[\w-]{1,64}$/.test(name)) return `The name ${show(name)} does not match [A-Za-z0-9_-]{1,64}.`;
        ids.add(id);
      }
      return calls.length > 0 && after?.role !== "tool" ? "The next message does not answer its calls." : undefined;
    }
    case "tool": {
      const asked = before?.role === "assistant" ? (before.calls ?? []).map(({ id }) => id) : [];
      const answered = message.results.map(({ id }) => id);
      return show(asked) === show(answered) ? undefined : `It must answer the calls ${show(asked)}, in their order.`;
    }
    default:
      return `There is no role ${show((message as { role: unknown }).role)}.`;
  }
}

function userProblem(content: unknown): string | undefined {
  if (typeof content === "string") return undefined;
  if (!Array.isArray(content)) return "Its content is neither a text nor a list of parts.";
  if (content.length === 0) return "Its list of parts is empty.";
  const wrong = content.find(
    (part) => !(part?.kind === "text" ? typeof part.text === "string" : ["image", "file"].includes(part?.kind)),
  );
  return wrong === undefined ? undefined : `It holds ${show(wrong)}, which is no part of a message.`;
}

import type { ModelMessage } from "@cogency/protocol";
import type { ModelEvent, ModelRequest } from "../provider.ts";

/**
 * What every server takes as the name of a tool: OpenAI demands `^[a-zA-Z0-9_-]+$` and 64 characters, Gemini a letter or an
 * underscore first. A log may hold calls of other names, because a model may write any.
 */
const accepted = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

/** Names that servers accept, for the names of a request. */
export interface WireNames {
  /** The request with such names in its tools, calls, results and choice. */
  readonly request: ModelRequest;
  /** An event of the answer with the request's own names. */
  own(event: ModelEvent): ModelEvent;
}

/** Undefined if every name is accepted as it is. */
export function wireNames(request: ModelRequest): WireNames | undefined {
  const { tools = [], messages, toolChoice } = request;
  if (![...tools.map(({ name }) => name), ...namesIn(messages)].some((name) => !accepted.test(name))) return undefined;
  const known = new Map<string, string>();
  const taken = new Set<string>(tools.map(({ name }) => name).filter((name) => accepted.test(name)));
  const wire = (name: string): string => {
    if (accepted.test(name)) return name;
    let given = known.get(name);
    if (given === undefined) {
      const base = name.replace(/[^A-Za-z0-9_-]/g, "_").replace(/^(?![A-Za-z_])/, "_");
      given = base.slice(0, 64);
      for (let count = 2; taken.has(given); count++) given = `${base.slice(0, 60)}_${count}`;
      known.set(name, given);
      taken.add(given);
    }
    return given;
  };
  const sent: ModelRequest = {
    ...request,
    ...(request.tools && { tools: request.tools.map((tool) => ({ ...tool, name: wire(tool.name) })) }),
    ...(typeof toolChoice === "object" && { toolChoice: { name: wire(toolChoice.name) } }),
    messages: messages.map((message) => withNames(message, wire)),
  };
  const own = new Map([...known].filter(([name]) => tools.some((tool) => tool.name === name)).map(([a, b]) => [b, a]));
  return {
    request: sent,
    own: (event) =>
      (event.type === "tool_call" || event.type === "tool_call_delta") && event.name !== undefined
        ? { ...event, name: own.get(event.name) ?? event.name }
        : event,
  };
}

function namesIn(messages: readonly ModelMessage[]): string[] {
  return messages.flatMap((message) => {
    if (message.role === "assistant") return message.calls?.map(({ name }) => name) ?? [];
    return message.role === "tool" ? message.results.map(({ name }) => name) : [];
  });
}

function withNames(message: ModelMessage, wire: (name: string) => string): ModelMessage {
  if (message.role === "assistant" && message.calls) {
    return { ...message, calls: message.calls.map((call) => ({ ...call, name: wire(call.name) })) };
  }
  if (message.role !== "tool") return message;
  return { ...message, results: message.results.map((result) => ({ ...result, name: wire(result.name) })) };
}

import type { JsonObject, ModelMessage } from "@cogency/protocol";
import { type ModelRequest, ProviderError } from "@cogency/provider";

/** What a client says, but for the id of the event. */
export interface ClientEvent {
  readonly type: "session.update" | "conversation.item.create" | "response.create" | "response.cancel";
  readonly [field: string]: unknown;
}

/**
 * The events that tell a new session how to answer and what was said until now, message by message.
 * `request.options` are laid over the session's own fields.
 *
 * @throws ProviderError `unsupported` for what a Realtime session cannot be told
 */
export function toOpeningEvents(request: ModelRequest): ClientEvent[] {
  const { system, messages, maxOutputTokens, options } = request;
  refuseUnsupported(request);
  const session: JsonObject = {
    type: "realtime",
    output_modalities: ["text"],
    instructions: system,
    ...(maxOutputTokens !== undefined ? { max_output_tokens: maxOutputTokens } : {}),
    ...options,
  };
  return [{ type: "session.update", session }, ...messages.flatMap(toItemEvents)];
}

/** The events that say something as the user and ask for the answer. */
export function toAskingEvents(text: string): ClientEvent[] {
  return [...toItemEvents({ role: "user", content: text }), { type: "response.create" }];
}

function refuseUnsupported({ tools, format, stop, temperature }: ModelRequest): void {
  const asked: [string, boolean][] = [
    ["tools", Boolean(tools?.length)],
    ["format", format !== undefined],
    ["stop", Boolean(stop?.length)],
    ["temperature", temperature !== undefined],
  ];
  const refused = asked.filter(([, isAsked]) => isAsked).map(([name]) => `\`${name}\``);
  if (refused.length > 0) throw unsupported(`A Realtime session of text knows no ${refused.join(", no ")}.`);
}

/** Native blocks are another wire's; what the model said stands in `content` too. */
function toItemEvents(message: ModelMessage): ClientEvent[] {
  switch (message.role) {
    case "user":
      return [toItemEvent("user", { type: "input_text", text: message.content })];
    case "assistant":
      if (message.calls?.length) throw unsupported(nativeTools);
      return message.content === "" ? [] : [toItemEvent("assistant", { type: "output_text", text: message.content })];
    case "tool":
      throw unsupported(nativeTools);
  }
}

const nativeTools =
  "A Realtime session of text knows no native tool messages. Use the text protocol, or another API of this provider.";

function toItemEvent(role: "user" | "assistant", part: JsonObject): ClientEvent {
  return { type: "conversation.item.create", item: { type: "message", role, content: [part] } };
}

function unsupported(message: string): ProviderError {
  return new ProviderError("unsupported", message);
}

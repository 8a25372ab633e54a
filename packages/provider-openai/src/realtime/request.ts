import type { JsonObject, ModelMessage } from "@cogency/protocol";
import { type ModelRequest, ProviderError } from "@cogency/provider";
import type { ClientEvent } from "./wire.ts";

/**
 * The events that open a session: its settings, then the conversation so far, one event for each message.
 * `request.options` override the settings.
 *
 * @throws ProviderError `unsupported` if the request asks for something that a Realtime session does not have
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

/** The events that add a message of the user and ask for the answer. */
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
  if (refused.length > 0) throw unsupported(`A Realtime session of text has no ${refused.join(", no ")}.`);
}

/** Native blocks come from another wire and are ignored: `content` holds the text as well. */
function toItemEvents(message: ModelMessage): ClientEvent[] {
  switch (message.role) {
    case "user":
      if (typeof message.content !== "string") throw unsupported(noAttachments);
      return [toItemEvent("user", { type: "input_text", text: message.content })];
    case "assistant":
      if (message.calls?.length) throw unsupported(nativeTools);
      return message.content === "" ? [] : [toItemEvent("assistant", { type: "output_text", text: message.content })];
    case "tool":
      throw unsupported(nativeTools);
  }
}

const nativeTools =
  "A Realtime session of text has no native tool messages. Use the text protocol, or another API of this provider.";

/** Why a session refuses a message that is more than a text. */
export const noAttachments =
  "A session over the Realtime API takes text alone: it cannot take attachments. Use another API of this provider.";

function toItemEvent(role: "user" | "assistant", part: JsonObject): ClientEvent {
  return { type: "conversation.item.create", item: { type: "message", role, content: [part] } };
}

function unsupported(message: string): ProviderError {
  return new ProviderError("unsupported", message);
}

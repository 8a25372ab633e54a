import { type Attachment, callOf, type Json, type LogEvent, type ModelMessage } from "@cogency/protocol";

/** A message as the conventions write it (`gen-ai-input-messages.json`). */
export interface Message {
  role: "user" | "assistant" | "tool";
  parts: Part[];
}

/** An answer (`gen-ai-output-messages.json`). */
export interface OutputMessage extends Message {
  finish_reason: string;
}

type Part =
  | { type: "text" | "reasoning"; content: string }
  | { type: "tool_call"; id?: string; name: string; arguments: Json }
  | { type: "tool_call_response"; id: string; response: string }
  | { type: "uri"; modality: string; mime_type: string; uri: string }
  /** A file whose bytes are left out. */
  | { type: "attachment"; modality: string; mime_type: string };

/** A message of a request. */
export function inputMessage(message: ModelMessage): Message {
  switch (message.role) {
    case "user": {
      const { content } = message;
      const parts = typeof content === "string" ? [text(content)] : content.map(partOf);
      return { role: "user", parts };
    }
    case "assistant": {
      const { content, calls = [] } = message;
      const called = calls.map(({ id, name, args }): Part => ({ type: "tool_call", id, name, arguments: args }));
      return { role: "assistant", parts: [...(content === "" ? [] : [text(content)]), ...called] };
    }
    case "tool": {
      const parts = message.results.flatMap(({ id, content, attachments = [] }): Part[] => [
        { type: "tool_call_response", id, response: content },
        ...attachments.map(attached),
      ]);
      return { role: "tool", parts };
    }
  }
}

/** What the model wrote, up to the first event that is not its own; undefined if it wrote nothing. */
export function outputMessage(events: readonly LogEvent[], finish: string): OutputMessage | undefined {
  const parts: Part[] = [];
  for (const event of events) {
    if (event.type === "think") parts.push({ type: "reasoning", content: event.content });
    else if (event.type === "respond") parts.push(text(event.content));
    else if (event.type === "call") {
      const { name, args, id } = callOf(event);
      parts.push({ type: "tool_call", ...(id !== undefined && { id }), name, arguments: args });
    } else break;
  }
  return parts.length === 0 ? undefined : { role: "assistant", parts, finish_reason: finish };
}

function text(content: string): Part {
  return { type: "text", content };
}

function partOf(part: Attachment | { kind: "text"; text: string }): Part {
  return part.kind === "text" ? text(part.text) : attached(part);
}

function attached({ kind, mediaType, data }: Attachment): Part {
  const described = { modality: kind, mime_type: mediaType };
  return typeof data === "string" ? { type: "attachment", ...described } : { type: "uri", ...described, uri: data.url };
}

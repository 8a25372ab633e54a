import type { AssistantMessage, Json, MessagePart, ModelMessage } from "@cogency/protocol";
import type { ModelRequest } from "@cogency/provider";

export function toBody(request: ModelRequest, defaultModel: string): object {
  const { system, messages, model = defaultModel, tools, toolChoice, stop, temperature, format, options } = request;
  return {
    bird: model,
    tools: tools?.map(({ name, description, parameters }) => ({ tool: name, about: description, takes: parameters })),
    manual: system,
    turns: messages.map((message) => toTurn(message, model)),
    longest: request.maxOutputTokens,
    must: typeof toolChoice === "object" ? { use: toolChoice.name } : toolChoice,
    until: stop,
    temperature,
    shape: format,
    ...options,
  };
}

function toTurn(message: ModelMessage, model: string): object {
  switch (message.role) {
    case "user":
      return { who: "human", parts: partsOf(message.content) };
    case "assistant": {
      const { content, calls = [] } = message;
      const uses = calls.map(({ id, name, args }) => ({ use: id, tool: name, with: args }));
      return {
        who: "bird",
        parts: [...thoughtsOf(message, model), ...(content === "" ? [] : [{ say: content }]), ...uses],
      };
    }
    case "tool": {
      const parts = message.results.flatMap(({ id, content, failed, attachments = [] }) => [
        { outcome: id, ok: !failed, said: content },
        ...partsOf(attachments),
      ]);
      return { who: "human", parts };
    }
  }
}

/** A text, or a text with images and other files: `data` is base64 text, or `{ url }`, which only the server fetches. */
function partsOf(content: string | readonly MessagePart[]): object[] {
  if (typeof content === "string") return [{ say: content }];
  return content.map((part) =>
    part.kind === "text" ? { say: part.text } : { see: part.kind, type: part.mediaType, bytes: part.data },
  );
}

/** Only the model that sealed the thoughts can read them. */
function thoughtsOf({ native }: AssistantMessage, model: string): Json[] {
  const isOwn = native?.provider === "parrot" && native.model === model;
  return isOwn && Array.isArray(native.data) ? native.data : [];
}

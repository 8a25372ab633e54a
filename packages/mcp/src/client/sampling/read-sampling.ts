import type { Attachment, MessagePart, ModelMessage } from "@cogency/protocol";
import type { ModelRequest, Provider } from "@cogency/provider";
import { checkedAttachments } from "@cogency/tools/host";
import { fieldsOf } from "../questions/fields-of.ts";

/** The request of a server as one for a model, without its limit of tokens, or why it is none. */
export type SamplingReading =
  | { readonly request: ModelRequest; readonly wantedTokens: number | undefined }
  | { readonly problem: string };

/**
 * Reads the parameters of a `sampling/createMessage`: texts and images. Which model the server prefers, and which context of other
 * servers it wants, is ignored.
 */
export function readSampling(params: unknown, kinds: Provider["capabilities"]["attachments"] = []): SamplingReading {
  const { messages, systemPrompt, maxTokens, temperature, stopSequences, tools } = fieldsOf(params);
  if (tools !== undefined) return { problem: "it brings tools" };
  if (!Array.isArray(messages) || messages.length === 0) return { problem: "it has no messages" };
  if (messages.length > mostMessages)
    return { problem: `it has ${messages.length} messages, more than ${mostMessages}` };
  const system = typeof systemPrompt === "string" ? systemPrompt : "";
  const read: ModelMessage[] = [];
  const size = { characters: system.length, images: 0 };
  for (const given of messages) {
    const message = readMessage(fieldsOf(given), kinds, size);
    if (typeof message === "string") return { problem: message };
    if (size.characters > mostCharacters) return { problem: `it has more than ${mostCharacters} characters` };
    if (size.images > mostImages) return { problem: `it has more than ${mostImages} images` };
    read.push(message);
  }
  const stop = Array.isArray(stopSequences) ? stopSequences.filter(isStop).slice(0, 4) : [];
  const request = {
    system,
    messages: read,
    ...(typeof temperature === "number" && temperature >= 0 && temperature <= 2 && { temperature }),
    ...(stop.length > 0 && { stop }),
  };
  const isCount = typeof maxTokens === "number" && maxTokens >= 1;
  return { request, wantedTokens: isCount ? Math.floor(maxTokens) : undefined };
}

const mostMessages = 100;
const mostCharacters = 200_000;
const mostImages = 4;
/** Bytes of one image. */
const largestImage = 5 * 1024 * 1024;

function isStop(text: unknown): text is string {
  return typeof text === "string" && text !== "" && text.length <= 100;
}

/** A message, or why it is none. */
function readMessage(
  { role, content }: Readonly<Record<string, unknown>>,
  kinds: readonly Attachment["kind"][],
  size: { characters: number; images: number },
): ModelMessage | string {
  const parts: MessagePart[] = [];
  for (const block of Array.isArray(content) ? content.slice(0, mostMessages) : [content]) {
    const { type, text, data, mimeType } = fieldsOf(block);
    if (type === "text" && typeof text === "string") {
      size.characters += text.length;
      parts.push({ kind: "text", text: text.toWellFormed() });
    } else if (type === "image" && role === "user") {
      size.images += 1;
      if (size.images > mostImages) break;
      try {
        const image = { kind: "image", mediaType: mimeType, data };
        parts.push(...checkedAttachments([image], { kinds, maxBytes: largestImage }));
      } catch (error) {
        return `an image of it cannot be used: ${(error as Error).message}`;
      }
    } else return "it holds more than texts, and images of the user";
  }
  const text = parts.map((part) => (part.kind === "text" ? part.text : "")).join("\n");
  if (role === "assistant") return { role, content: text };
  if (role !== "user") return "a message of it has no role";
  return { role, content: parts.some(({ kind }) => kind !== "text") ? parts : text };
}

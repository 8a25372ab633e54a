import type { Attachment, MessagePart } from "@cogency/protocol";
import { ProviderError } from "@cogency/provider";
import type OpenAI from "openai";

type ChatPart = OpenAI.ChatCompletionContentPart;
type ResponsesPart =
  | OpenAI.Responses.ResponseInputText
  | OpenAI.Responses.ResponseInputImage
  | OpenAI.Responses.ResponseInputFile;

/**
 * A part of a message of the user in Chat Completions.
 *
 * @throws ProviderError `unsupported` for the address of a file, which this wire cannot hold
 */
export function toChatPart(part: MessagePart): ChatPart {
  if (part.kind === "text") return { type: "text", text: part.text };
  const { kind, data } = part;
  if (kind === "image") return { type: "image_url", image_url: { url: addressOf(part) } };
  if (typeof data === "string") return { type: "file", file: { filename: nameOf(part), file_data: addressOf(part) } };
  const message = `Chat Completions takes files as base64 text, and ${nameOf(part)} is an address. Use \`api: "responses"\`, or give its bytes.`;
  throw new ProviderError("unsupported", message);
}

/** A part of a message of the user, or of a result, in Responses. */
export function toResponsesPart(part: MessagePart): ResponsesPart {
  if (part.kind === "text") return { type: "input_text", text: part.text };
  const { kind, data } = part;
  if (kind === "image") return { type: "input_image", image_url: addressOf(part), detail: "auto" };
  if (typeof data !== "string") return { type: "input_file", file_url: data.url };
  return { type: "input_file", filename: nameOf(part), file_data: addressOf(part) };
}

function addressOf({ mediaType, data }: Attachment): string {
  return typeof data === "string" ? `data:${mediaType};base64,${data}` : data.url;
}

function nameOf({ name, mediaType }: Attachment): string {
  return name ?? `file.${mediaType.replace(/^.*[/+]/, "")}`;
}

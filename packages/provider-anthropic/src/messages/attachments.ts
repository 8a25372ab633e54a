import type Anthropic from "@anthropic-ai/sdk";
import type { Attachment } from "@cogency/protocol";
import { ProviderError } from "@cogency/provider";

/**
 * The block of an attachment: an image, or a document (PDF or text).
 *
 * @throws ProviderError `unsupported` for a file that is neither, and for the address of a text
 */
export function toAttachedBlock(attachment: Attachment): Anthropic.ImageBlockParam | Anthropic.DocumentBlockParam {
  const { kind, mediaType, data, name } = attachment;
  const isAddress = typeof data !== "string";
  if (kind === "image") {
    // The server says which types of images it takes; the SDK's types know some of them.
    const media_type = mediaType as Anthropic.Base64ImageSource["media_type"];
    return { type: "image", source: isAddress ? { type: "url", url: data.url } : { type: "base64", media_type, data } };
  }
  const title = name === undefined ? {} : { title: name };
  if (mediaType === "application/pdf") {
    const source = isAddress
      ? { type: "url" as const, url: data.url }
      : { type: "base64" as const, media_type: "application/pdf" as const, data };
    return { type: "document", source, ...title };
  }
  if (mediaType.startsWith("text/") && !isAddress) {
    return { type: "document", source: { type: "text", media_type: "text/plain", data: textOf(data) }, ...title };
  }
  const what = `${name ?? "The attachment"} is ${isAddress ? "the address of " : ""}${mediaType}`;
  throw new ProviderError("unsupported", `Messages takes files that are PDF, or text as base64; ${what}.`);
}

function textOf(base64: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
}

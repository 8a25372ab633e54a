import type { Attachment } from "@cogency/protocol";
import type { ContentBlock } from "@modelcontextprotocol/server";

/** What stands at an address: a text, or bytes as base64. */
export type McpResourceContent = {
  /** Defaults to the address that was asked for. */
  readonly uri?: string | undefined;
  readonly mediaType?: string | undefined;
} & ({ readonly text: string } | { readonly data: string });

/** An attachment, or a resource with its contents. */
export type McpContent = Attachment | (McpResourceContent & { readonly uri: string });

export function resourceContents(content: McpResourceContent, asked: string) {
  const { uri = asked, mediaType } = content;
  const place = { uri, ...(mediaType !== undefined && { mimeType: mediaType }) };
  return "text" in content ? { ...place, text: content.text } : { ...place, blob: content.data };
}

export function contentBlock(content: string | McpContent): ContentBlock {
  if (typeof content === "string") return { type: "text", text: content };
  if ("kind" in content) return attachmentBlock(content);
  return { type: "resource", resource: resourceContents(content, content.uri) };
}

/**
 * An image, a sound, or a resource with the contents of the file. The name of a file becomes the address of the resource; a file that is
 * given by its address stays a link.
 */
export function attachmentBlock({ kind, mediaType, data, name }: Attachment): ContentBlock {
  if (typeof data !== "string") {
    return { type: "resource_link", uri: data.url, name: name ?? data.url, mimeType: mediaType };
  }
  if (kind === "image") return { type: "image", data, mimeType: mediaType };
  if (mediaType.startsWith("audio/")) return { type: "audio", data, mimeType: mediaType };
  const place = { uri: addressOf(name), mimeType: mediaType };
  const text = mediaType.startsWith("text/") || mediaType === "application/json" ? textOf(data) : undefined;
  return { type: "resource", resource: text === undefined ? { ...place, blob: data } : { ...place, text } };
}

function addressOf(name = "file"): string {
  return URL.canParse(name) ? name : `attachment:///${encodeURIComponent(name)}`;
}

function textOf(base64: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

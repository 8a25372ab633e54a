import type { ContentPart, PartSource } from "@ag-ui/core";
import type { Attachment, ToolResult } from "@cogency/protocol";

/** A text with its attachments, as content of a message. */
export function contentOf(text: string, attachments: readonly Attachment[] = []): string | ContentPart[] {
  if (attachments.length === 0) return text;
  return [...(text === "" ? [] : [{ type: "text", text } as const]), ...attachments.map(partOf)];
}

/** What a tool message holds of a result. */
export function resultContent({ content, attachments }: ToolResult): string | ContentPart[] {
  return contentOf(typeof content === "string" ? content : JSON.stringify(content), attachments);
}

function partOf({ kind, mediaType, data, name }: Attachment): ContentPart {
  const source: PartSource =
    typeof data === "string"
      ? { type: "data", value: data, mimeType: mediaType }
      : { type: "url", value: data.url, mimeType: mediaType };
  return { type: typeOf(kind, mediaType), source, ...(name !== undefined && { metadata: { filename: name } }) };
}

function typeOf(kind: Attachment["kind"], mediaType: string): "image" | "audio" | "video" | "document" {
  if (kind === "image") return "image";
  if (mediaType.startsWith("audio/")) return "audio";
  return mediaType.startsWith("video/") ? "video" : "document";
}

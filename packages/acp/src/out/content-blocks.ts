import type { ContentBlock, ToolCallContent } from "@agentclientprotocol/sdk";
import type { Attachment, Json, ToolResult } from "@cogency/protocol";
import { visibleText } from "./visible-text.ts";

export function textBlock(text: string): ContentBlock {
  return { type: "text", text: visibleText(text) };
}

/** A file or an image that stands beside a text. */
export function attachmentBlock({ kind, mediaType, data, name = "attachment" }: Attachment): ContentBlock {
  if (typeof data !== "string") return { type: "resource_link", name, uri: data.url, mimeType: mediaType };
  if (kind === "image") return { type: "image", data, mimeType: mediaType };
  return {
    type: "resource",
    resource: { uri: `attachment:${encodeURIComponent(name)}`, blob: data, mimeType: mediaType },
  };
}

/** What an editor shows of the result of a call. */
export function resultContent({ content, attachments = [] }: ToolResult): ToolCallContent[] {
  const text = textOf(content);
  return [
    ...(text === "" ? [] : [shownText(text)]),
    ...attachments.map((one): ToolCallContent => ({ type: "content", content: attachmentBlock(one) })),
  ];
}

export function shownText(text: string): ToolCallContent {
  return { type: "content", content: textBlock(text) };
}

function textOf(content: Json | undefined): string {
  if (content === undefined || content === null) return "";
  return typeof content === "string" ? content : JSON.stringify(content, null, 2);
}

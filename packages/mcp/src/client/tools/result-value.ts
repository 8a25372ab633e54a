import type { Attachment, Json } from "@cogency/protocol";
import { checkedAttachments } from "@cogency/tools/host";
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";
import { oneLine } from "../text/plain-text.ts";

export interface ResultValue {
  readonly value: Json;
  readonly attachments: readonly Attachment[];
}

/**
 * What a server returned, as the model reads it: structured content, else texts; pictures, sounds and files beside it. Metadata stays behind.
 *
 * @throws TypeError or RangeError for a picture or file whose base64 text or media type is none
 */
export function resultValue(result: CallToolResult, hide: (text: string) => string = (text) => text): ResultValue {
  const texts: string[] = [];
  const attachments: Attachment[] = [];
  for (const block of result.content ?? []) {
    const part = partOf(block);
    if (typeof part === "string") texts.push(hide(part));
    else attachments.push(...checkedAttachments([part]));
  }
  const text = texts.join("\n");
  if (result.structuredContent === undefined) return { value: text, attachments };
  const structured = hiddenIn(result.structuredContent as Json, hide);
  const isSame = text === "" || isJsonOf(text, structured);
  return { value: isSame ? structured : { structured, text }, attachments };
}

/** The text of one block, or what stands beside the text. */
export function partOf(block: ContentBlock): string | Attachment {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
      return { kind: "image", mediaType: typeOf(block.mimeType), data: block.data };
    case "audio":
      return { kind: "file", mediaType: typeOf(block.mimeType), data: block.data, name: "audio" };
    case "resource_link": {
      const about = [block.mimeType, block.description].filter(Boolean).join("; ");
      return `[${oneLine(block.title ?? block.name, 200)}](${oneLine(block.uri, 2000)})${about && ` ${oneLine(about, 500)}`}`;
    }
    case "resource":
      return resourcePart(block.resource);
    default:
      return `[a part of the type ${oneLine(String((block as { type: unknown }).type), 40)}, which cannot be shown]`;
  }
}

/** The contents of a resource: its text under its address, or a file. */
export function resourcePart(resource: {
  uri: string;
  mimeType?: string | undefined;
  text?: unknown;
  blob?: unknown;
}): string | Attachment {
  const { uri, mimeType } = resource;
  if (typeof resource.text === "string") return `${oneLine(uri, 2000)}:\n${resource.text}`;
  const mediaType = typeOf(mimeType ?? "application/octet-stream");
  const kind = /^image\/[\w.+-]+$/i.test(mediaType) ? "image" : "file";
  return { kind, mediaType, data: resource.blob as string, name: nameIn(uri) };
}

/** A media type without its parameters, which attachments do not have. */
function typeOf(mimeType: string): string {
  return (mimeType.split(";")[0] ?? "").trim();
}

function nameIn(uri: string): string {
  return oneLine(uri.split(/[?#]/)[0]?.split("/").filter(Boolean).at(-1) ?? uri, 100);
}

function isJsonOf(text: string, value: Json): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(value);
  } catch {
    return false;
  }
}

function hiddenIn(value: Json, hide: (text: string) => string): Json {
  return JSON.parse(JSON.stringify(value), (_key, inner) => (typeof inner === "string" ? hide(inner) : inner));
}

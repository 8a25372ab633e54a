import type { Attachment, Json } from "@cogency/protocol";
import { attachmentBytes, checkedAttachments } from "@cogency/tools/host";
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";
import { attachmentOf } from "../resources/resource-value.ts";
import { hiddenIn } from "../text/hidden-in.ts";
import { oneLine } from "../text/plain-text.ts";
import { fitsAny } from "./patterns.ts";

export interface ResultValue {
  readonly value: Json;
  readonly attachments: readonly Attachment[];
}

export interface ResultOptions {
  /** Takes secrets out of texts. */
  hide(text: string): string;
  /** Media types, or patterns of them, that the model takes beside pictures and PDF documents. */
  readonly attach: readonly string[];
}

/**
 * What a server returned, as the model reads it: structured content, else texts. Pictures and documents become attachments. What cannot be
 * given, such as base64 text that is none, is named in the text with the reason. Metadata stays behind.
 */
export function resultValue(result: CallToolResult, { hide, attach }: ResultOptions): ResultValue {
  const attachments: Attachment[] = [];
  const texts = (result.content ?? []).map((block) => hide(textOf(block, attachments, attach)));
  const text = texts.join("\n");
  if (result.structuredContent === undefined) return { value: text, attachments };
  const structured = hiddenIn(result.structuredContent as Json, hide);
  return { value: joined(structured, text), attachments };
}

/** Structured content and text, or one of them where they say the same: many servers write each result twice. */
function joined(structured: Json, text: string): Json {
  const only = onlyValueOf(structured);
  if (only === text) return text;
  const isSame = text === "" || isJsonOf(text, structured) || (only !== undefined && isJsonOf(text, only));
  return isSame ? structured : { structured, text };
}

/** The value of an object that has one. */
function onlyValueOf(structured: Json): Json | undefined {
  if (typeof structured !== "object" || structured === null || Array.isArray(structured)) return undefined;
  const values = Object.values(structured);
  return values.length === 1 ? values[0] : undefined;
}

function textOf(block: ContentBlock, attachments: Attachment[], attach: readonly string[]): string {
  const attached = (what: string, data: string, mimeType: string, name?: string) =>
    textOfFile({ what, data, mimeType, name }, attachments, attach);
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
      return attached("a picture", block.data, block.mimeType);
    case "audio":
      return attached("a sound", block.data, block.mimeType, "sound");
    case "resource_link": {
      const about = [block.mimeType, block.description].filter(Boolean).join("; ");
      const link = `[${oneLine(block.title ?? block.name, 200)}](${oneLine(block.uri, 2000)})`;
      return about === "" ? link : `${link} ${oneLine(about, 500)}`;
    }
    case "resource": {
      const { resource } = block;
      const uri = oneLine(resource.uri, 2000);
      if ("text" in resource) return `${uri}:\n${resource.text}`;
      return attached(uri, resource.blob, resource.mimeType ?? "", nameIn(uri));
    }
    default:
      return `[a part of the type ${oneLine(String((block as { type: unknown }).type), 40)}, which cannot be shown]`;
  }
}

interface File {
  readonly what: string;
  readonly data: string;
  readonly mimeType: string;
  readonly name: string | undefined;
}

/** Adds an attachment, and returns what stands in the text for it. */
function textOfFile(
  { what, data, mimeType, name }: File,
  attachments: Attachment[],
  attach: readonly string[],
): string {
  // Attachments have no parameters, such as a rate of samples.
  const mediaType = oneLine(mimeType.split(";")[0] ?? "", 100).toLowerCase();
  const bytes = attachmentBytes({ kind: "file", mediaType, data });
  const about = `${what}, ${mediaType || "of no type"}, ${bytes} bytes`;
  if (attachments.length >= mostAttachments) return `[${about}: left out, there are too many]`;
  const made = fitsAny(attach, mediaType) ? fileOf(data, mediaType, name) : attachmentOf(data, mediaType, name);
  if ("problem" in made) return `[${about}: left out. ${made.problem}]`;
  attachments.push(made);
  return `[${about}: attached]`;
}

const mostAttachments = 8;

function fileOf(data: string, mediaType: string, name: string | undefined): Attachment | { readonly problem: string } {
  try {
    const given = { kind: "file", mediaType, data, ...(name !== undefined && { name }) };
    return checkedAttachments([given])[0] ?? { problem: "It is empty." };
  } catch (error) {
    return { problem: oneLine((error as Error).message) };
  }
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

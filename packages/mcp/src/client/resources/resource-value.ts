import type { Attachment, Json, JsonObject } from "@cogency/protocol";
import { type AttachedValue, withAttachments } from "@cogency/tools";
import { attachmentBytes, checkedAttachments } from "@cogency/tools/host";
import type { ReadResourceResult } from "@modelcontextprotocol/client";
import { oneLine } from "../text/plain-text.ts";

type Contents = ReadResourceResult["contents"][number];

/**
 * What a model reads of a resource. Texts come as they are, images and PDF documents as attachments, of everything else the media type
 * and the size. An address of a part that is not the one that was read stands beside that part.
 */
export function resourceValue(server: string, uri: string, contents: readonly Contents[]): AttachedValue<Json> {
  const attachments: Attachment[] = [];
  const parts = contents.slice(0, mostParts).map((one) => partOf(one, uri, attachments));
  const left = contents.length - parts.length;
  const [first] = parts;
  const value: JsonObject = {
    server,
    uri,
    ...(parts.length === 1 ? first : { parts }),
    ...(left > 0 && { note: `${left} more parts are left out.` }),
  };
  return withAttachments<Json>(value, attachments);
}

/** A blob as an attachment, or why a model cannot get it. */
export function attachmentOf(
  data: string,
  mediaType: string,
  name?: string,
): Attachment | { readonly problem: string } {
  const isImage = imageTypes.includes(mediaType);
  if (!isImage && mediaType !== "application/pdf") return { problem: "It is of no kind that a model can be shown." };
  const given = { kind: isImage ? "image" : "file", mediaType, data, ...(name !== undefined && { name }) };
  try {
    const [attachment] = checkedAttachments([given]);
    return attachment ?? { problem: "It is empty." };
  } catch (error) {
    return { problem: oneLine((error as Error).message) };
  }
}

const imageTypes: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const mostParts = 100;
const mostAttachments = 8;
/** Bytes of a text in a blob. */
const largestText = 1024 * 1024;

function partOf(given: Contents, uri: string, attachments: Attachment[]): JsonObject {
  const mediaType = given.mimeType === undefined ? undefined : oneLine(given.mimeType, 100).toLowerCase();
  const about: JsonObject = {
    ...(given.uri !== uri && { partUri: oneLine(given.uri, 500) }),
    ...(mediaType !== undefined && { mediaType }),
  };
  if ("text" in given) return { ...about, text: given.text.toWellFormed() };
  const bytes = attachmentBytes({ kind: "file", mediaType: "", data: given.blob });
  const text = mediaType?.startsWith("text/") && bytes <= largestText ? textIn(given.blob) : undefined;
  if (text !== undefined) return { ...about, text };
  if (attachments.length === mostAttachments) return { ...about, bytes, note: "It is left out: there are too many." };
  const attachment = attachmentOf(given.blob, mediaType ?? "");
  if ("problem" in attachment) return { ...about, bytes, note: attachment.problem };
  attachments.push(attachment);
  return { ...about, bytes, note: "It is attached." };
}

/** The text in base64, or undefined for bytes that are none. */
function textIn(blob: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(blob), (character) => character.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

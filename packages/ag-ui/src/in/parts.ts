import type { Attachment } from "@cogency/protocol";
import { Problem } from "@cogency/server";
import { checkedAttachments } from "@cogency/tools/host";
import { type Fields, listAt, objectAt, optionalText, textAt, wrong } from "./fields.ts";

/** The words of a person, with what is attached. */
export interface Words {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/**
 * Reads the content of a user message.
 *
 * @throws Problem `invalid_request`, which names the part
 */
export function readWords(content: unknown, place: string): Words {
  if (typeof content === "string") return { text: content, attachments: [] };
  const parts = listAt(content, place, 1_000).map((part, index) => objectAt(part, `${place}[${index}]`));
  const attachments = parts.flatMap((part, index) =>
    part.type === "text" ? [] : attachmentOf(part, `${place}[${index}]`),
  );
  return { text: textOfParts(parts, place), attachments: checked(attachments, place) };
}

/** The text of content; its other parts are left out. */
export function textOfParts(content: unknown, place: string): string {
  if (typeof content === "string") return content;
  return listAt(content, place, 1_000)
    .flatMap((given, index) => {
      const part = objectAt(given, `${place}[${index}]`);
      return part.type === "text" ? textAt(part.text, `${place}[${index}].text`) : [];
    })
    .join("\n");
}

function attachmentOf(part: Fields, place: string): Attachment {
  switch (part.type) {
    case "image":
    case "audio":
    case "video":
    case "document":
      return sourceOf(part, place);
    case "binary":
      return binaryOf(part, place);
    default:
      throw wrong(`${place}.type`, "give one of text, image, audio, video, document");
  }
}

function sourceOf(part: Fields, place: string): Attachment {
  const source = objectAt(part.source, `${place}.source`);
  const kind = part.type === "image" ? "image" : "file";
  const value = textAt(source.value, `${place}.source.value`);
  const mediaType = optionalText(source.mimeType, `${place}.source.mimeType`);
  if (mediaType === undefined) throw wrong(`${place}.source.mimeType`, 'give one such as "image/png"');
  const name = filenameOf(part.metadata);
  if (source.type === "data") return { kind, mediaType, data: value, ...name };
  if (source.type === "url") return { kind, mediaType, data: { url: value }, ...name };
  throw wrong(`${place}.source.type`, 'give "data" or "url": a file that only one provider can read is not taken');
}

/** A part of AG-UI before 1.0. */
function binaryOf({ mimeType, data, url, filename }: Fields, place: string): Attachment {
  const mediaType = textAt(mimeType, `${place}.mimeType`);
  const kind = mediaType.startsWith("image/") ? "image" : "file";
  const name = typeof filename === "string" ? { name: filename } : {};
  const bytes = optionalText(data, `${place}.data`);
  if (bytes !== undefined) return { kind, mediaType, data: bytes, ...name };
  return { kind, mediaType, data: { url: textAt(url, `${place}.url`) }, ...name };
}

function filenameOf(metadata: unknown): { name?: string } {
  if (typeof metadata !== "object" || metadata === null || !("filename" in metadata)) return {};
  return typeof metadata.filename === "string" ? { name: metadata.filename } : {};
}

function checked(attachments: readonly Attachment[], place: string): readonly Attachment[] {
  try {
    return checkedAttachments(attachments);
  } catch (cause) {
    throw new Problem("invalid_request", `\`${place}\` of the input is wrong: ${(cause as Error).message}`, { cause });
  }
}

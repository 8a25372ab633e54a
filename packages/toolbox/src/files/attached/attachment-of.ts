import type { Attachment } from "@cogency/protocol";

/**
 * Makes an attachment of the bytes of an image (PNG, JPEG, GIF or WebP) or a PDF file. What it is, its first bytes say: a name may be
 * wrong. Undefined for bytes of another kind.
 */
export function attachmentOf(bytes: Uint8Array, name?: string): Attachment | undefined {
  const type = attachedTypeOf(bytes);
  if (!type) return undefined;
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  return { ...type, data, ...(name !== undefined && { name }) };
}

/** The kind and the media type that the first bytes of a file tell; {@link telltaleBytes} of them are enough. */
export function attachedTypeOf(bytes: Uint8Array): Pick<Attachment, "kind" | "mediaType"> | undefined {
  const beginning = Buffer.from(bytes.subarray(0, telltaleBytes)).toString("latin1");
  const mediaType = beginnings.find(([pattern]) => pattern.test(beginning))?.[1];
  if (mediaType === undefined) return undefined;
  return { kind: mediaType.startsWith("image/") ? "image" : "file", mediaType };
}

/** In the first bytes of a file, read as Latin-1. */
const beginnings: readonly [pattern: RegExp, mediaType: string][] = [
  [/^\x89PNG\r\n/, "image/png"],
  [/^\xff\xd8\xff/, "image/jpeg"],
  [/^GIF8[79]a/, "image/gif"],
  [/^RIFF.{4}WEBP/s, "image/webp"],
  [/^%PDF-/, "application/pdf"],
];

/** How many bytes at the beginning of a file tell what it is. */
export const telltaleBytes = 12;

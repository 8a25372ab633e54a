import type { ContentType } from "./content-type.ts";

/**
 * Decodes bytes. The encoding is that of the byte order mark, else of the header, else the one that the document declares in its
 * first 1024 bytes, else UTF-8. Invalid bytes become U+FFFD.
 */
export function decodeText(bytes: Uint8Array, { type, charset }: Pick<ContentType, "type" | "charset">): string {
  const declared = type === "html" || type === "xml" ? declaredCharset(bytes) : undefined;
  return (decoderFor(markedCharset(bytes)) ?? decoderFor(charset) ?? decoderFor(declared) ?? new TextDecoder()).decode(
    bytes,
  );
}

function markedCharset([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return undefined;
}

/** A declaration that could be read as single bytes is not in UTF-16, even if it names UTF-16. */
function declaredCharset(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 1024));
  const match =
    /<meta[^>]{0,200}?charset\s*=\s*["']?([\w:.-]+)/i.exec(head) ??
    /^<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w:.-]+)/.exec(head);
  return match?.[1]?.toLowerCase().startsWith("utf-16") ? "utf-8" : match?.[1];
}

function decoderFor(label: string | undefined) {
  if (!label) return undefined;
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}

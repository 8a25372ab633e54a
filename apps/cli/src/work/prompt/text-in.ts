/** The text that bytes are: UTF-8, or UTF-16 that says so by its byte order mark. Undefined for bytes that are no text. */
export function textIn(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  const mark =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  try {
    const text = new TextDecoder(mark, { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

import { stripVTControlCharacters } from "node:util";

/** Without characters that control a terminal or what is typed: a text that is pasted must not press keys. */
export function plainText(bytes: Uint8Array | undefined): string {
  if (bytes === undefined) return "";
  const text = Buffer.from(bytes).toString("utf8").replace(/\r\n?/g, "\n");
  return stripVTControlCharacters(text).replace(/[^\P{Cc}\n\t]/gu, "");
}

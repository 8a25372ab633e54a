import type { Json, ToolResult } from "@cogency/protocol";
import { truncateText } from "./truncate-text.ts";
import { utf8Length } from "./utf8-length.ts";

export interface TruncationOptions {
  /** The id of the call; the log keeps the whole result under it. */
  id: string;
  /** The most UTF-8 bytes of the content: of a string itself, of any other value as JSON without white space. */
  maxBytes: number;
  /** The name of the tool with which the model reads more, see `readResultTool`. Without it the note names no tool. */
  reader?: string | undefined;
}

/**
 * Shortens a result. Content that is too large, a failure message too, becomes a string: its head, a note of how much was left
 * out and where the whole is kept, and its tail (`truncateText`). Shortening twice changes nothing more, and the same result
 * always gives the same bytes.
 */
export function truncatedResult(result: ToolResult, { id, maxBytes, reader }: TruncationOptions): ToolResult {
  const { content } = result;
  if (fits(content, maxBytes)) return result;
  const quotedId = JSON.stringify(id);
  const text = truncateText(resultText(content), maxBytes, (omitted, total, from) => {
    const more = reader === undefined ? "" : `; read more with ${reader} {"id":${quotedId},"from":${from}}`;
    return `\n[… ${omitted} of ${total} bytes left out. The whole result is kept under the id ${quotedId}${more}]\n`;
  });
  return { ...result, content: text };
}

/** A result as text that can be read in pages: a string as it is, anything else as JSON indented by two spaces. */
export function resultText(content: Json): string {
  return typeof content === "string" ? content : JSON.stringify(content, null, 2);
}

function fits(content: Json, maxBytes: number): boolean {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return text.length * 3 <= maxBytes || utf8Length(text) <= maxBytes;
}

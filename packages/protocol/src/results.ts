import { areAttachments } from "./attachment.ts";
import { endOfText, skipSpace } from "./text/characters.ts";
import { RESULTS, RESULTS_CLOSE } from "./text/markers.ts";
import type { ToolResult } from "./tool.ts";

/**
 * Reads results back, from the text of the JSON array or from a whole `<results>` block.
 *
 * @returns null if the text is not an array of results
 */
export function parseResults(text: string): ToolResult[] | null {
  return parseResultArray(inside(text))?.map(({ tool, status, content }) => ({ tool, status, content })) ?? null;
}

/** Reads an array of results with all of its members; undefined if the text is not one. */
export function parseResultArray(text: string): ToolResult[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every(isResult) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The text between the markers of a block; other text as it is. */
function inside(text: string): string {
  const start = skipSpace(text, 0);
  const end = endOfText(text);
  const isBlock = text.startsWith(RESULTS, start) && text.endsWith(RESULTS_CLOSE, end);
  return isBlock ? text.slice(start + RESULTS.length, end - RESULTS_CLOSE.length) : text;
}

/** As {@link isResult}, for a value that may have attachments. */
export function isWholeResult(value: unknown): value is ToolResult {
  return isResult(value) && areAttachments(value.attachments);
}

/** Whether a value is the result of a call (protocol.md §1). Its attachments are not read. */
export function isResult(value: unknown): value is ToolResult {
  const { tool, status, content } = (value ?? {}) as Partial<ToolResult>;
  return (
    typeof tool === "string" &&
    (status === "success" || (status === "failure" && typeof content === "string")) &&
    content !== undefined
  );
}

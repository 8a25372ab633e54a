import { endOfText, skipSpace } from "./text/characters.ts";
import { RESULTS, RESULTS_CLOSE } from "./text/markers.ts";
import type { ToolResult } from "./tool.ts";

/**
 * Read results back, from the JSON array text or from a whole `<results>` block.
 *
 * @returns null when it is no array of results
 */
export function parseResults(text: string): ToolResult[] | null {
  return readResults(inside(text))?.map(({ tool, status, content }) => ({ tool, status, content })) ?? null;
}

/** The results that a JSON array holds, as they stand; undefined when it is none of results. */
export function readResults(text: string): ToolResult[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every(isResult) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** What stands between the markers, if they do. */
function inside(text: string): string {
  const start = skipSpace(text, 0);
  const end = endOfText(text);
  const isBlock = text.startsWith(RESULTS, start) && text.endsWith(RESULTS_CLOSE, end);
  return isBlock ? text.slice(start + RESULTS.length, end - RESULTS_CLOSE.length) : text;
}

/** Whether a value is the outcome of a call as the model reads it. */
export function isResult(value: unknown): value is ToolResult {
  const { tool, status, content } = (value ?? {}) as Partial<ToolResult>;
  return (
    typeof tool === "string" &&
    (status === "success" || (status === "failure" && typeof content === "string")) &&
    content !== undefined
  );
}

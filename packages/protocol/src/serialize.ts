import type { CallEvent } from "./events.ts";
import { jsonText } from "./json-text.ts";
import { EXECUTE, EXECUTE_CLOSE, escapeMarkers, RESULTS, RESULTS_CLOSE, THINK, THINK_CLOSE } from "./markers.ts";
import type { ToolCall, ToolResult } from "./tool.ts";

/**
 * `<think>…</think>`. A `</think>` inside the content, which only text from elsewhere can hold, is written
 * `< /think>`, so that it does not close the block.
 */
export function formatThink(content: string): string {
  return `${THINK}${content.replaceAll(THINK_CLOSE, "< /think>")}${THINK_CLOSE}`;
}

/** One `<execute>` block of the JSON dialect with one call a line; ids are not written. */
export function formatCalls(calls: readonly ToolCall[]): string {
  if (calls.length === 0) return `${EXECUTE}\n[]\n${EXECUTE_CLOSE}`;
  const lines = calls.map((call) => escapeMarkers(callText(call.name, call.args)));
  return `${EXECUTE}\n[\n${lines.join(",\n")}\n]\n${EXECUTE_CLOSE}`;
}

/** The `<results>` block: for any content it holds exactly one opener, one closer and no other marker. */
export function formatResults(results: readonly ToolResult[]): string {
  return resultsBlock(resultsText(results));
}

/** The block around the JSON text of an array of results. */
export function resultsBlock(json: string): string {
  return `${RESULTS}\n${escapeMarkers(json)}\n${RESULTS_CLOSE}`;
}

/** The `content` of a `result` event. */
export function resultsText(results: readonly ToolResult[]): string {
  return jsonText(results.map(({ tool, status, content }) => ({ tool, status, content })));
}

/** The `content` of a `call` event. */
export function callText(name: string, args: ToolCall["args"]): string {
  return jsonText({ name, args });
}

/**
 * Read results back, from the JSON array text or from a whole `<results>` block.
 *
 * @returns null when it is no array of results
 */
export function parseResults(text: string): ToolResult[] | null {
  let json = text.trim();
  if (json.startsWith(RESULTS) && json.endsWith(RESULTS_CLOSE)) {
    json = json.slice(RESULTS.length, -RESULTS_CLOSE.length);
  }
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return null;
  }
  return Array.isArray(value) && value.every(isResult)
    ? value.map(({ tool, status, content }) => ({ tool, status, content }))
    : null;
}

function isResult(value: unknown): value is ToolResult {
  if (typeof value !== "object" || value === null) return false;
  const { tool, status, content } = value as Partial<ToolResult>;
  return (
    typeof tool === "string" &&
    (status === "success" || (status === "failure" && typeof content === "string")) &&
    content !== undefined
  );
}

/**
 * The call that a `call` event announces.
 *
 * @throws TypeError if the content is not the JSON text of a call, which no parser and no driver writes
 */
export function callOf(event: CallEvent): ToolCall {
  const { name, args } = JSON.parse(event.content) as ToolCall;
  if (typeof name !== "string" || typeof args !== "object" || args === null || Array.isArray(args)) {
    throw new TypeError(`The content of a call event is not {"name", "args"}: ${event.content.slice(0, 80)}`);
  }
  return event.id === undefined ? { name, args } : { name, args, id: event.id };
}

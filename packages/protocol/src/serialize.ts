import { endOfText, skipSpace } from "./characters.ts";
import type { CallEvent } from "./events.ts";
import { jsonText } from "./json-text.ts";
import { escapeMarkers, RESULTS, RESULTS_CLOSE, THINK, THINK_CLOSE } from "./markers.ts";
import type { ToolCall, ToolResult } from "./tool.ts";
import { xmlCall } from "./xml-call.ts";

/** How calls are written (protocol.md §1). */
export type Dialect = "json" | "xml";

/**
 * `<think>…</think>`. A `</think>` inside the content, which only text from elsewhere can hold, is written
 * `< /think>`, so that it does not close the block.
 */
export function formatThink(content: string): string {
  return `${THINK}${content.replaceAll(THINK_CLOSE, "< /think>")}${THINK_CLOSE}`;
}

/** One `<execute>` block with one call a line, in the JSON dialect by default; ids are not written. */
export function formatCalls(calls: readonly ToolCall[], { dialect = "json" }: { dialect?: Dialect } = {}): string {
  return dialect === "xml"
    ? block("execute", calls.map(xmlCall))
    : jsonBlock(calls.map(({ name, args }) => callText(name, args)));
}

/** One `<execute>` block of the JSON dialect, of calls that are JSON text. */
export function jsonBlock(calls: readonly string[]): string {
  return block("execute", calls.length === 0 ? ["[]"] : ["[", escapeMarkers(calls.join(",\n")), "]"]);
}

/**
 * The `<results>` block: for any content it holds exactly one opener, one closer and no other marker. Content that JSON
 * cannot hold, such as a cycle, makes its result a failure that says so (protocol.md §4).
 */
export function formatResults(results: readonly ToolResult[]): string {
  const texts = results.map(({ tool, status, content }) => {
    try {
      return jsonText({ tool, status, content });
    } catch (error) {
      const [problem] = String(error).split("\n");
      return jsonText({ tool, status: "failure", content: `The result cannot be written as JSON: ${problem}` });
    }
  });
  return block("results", [escapeMarkers(`[${texts.join(",")}]`)]);
}

function block(marker: string, lines: readonly string[]): string {
  return [`<${marker}>`, ...lines, `</${marker}>`].join("\n");
}

/** A result as plain text: a string as it is, anything else as JSON. */
export function outcome(result: ToolResult): { content: string; failed: boolean } {
  // What JSON cannot hold is told in the same way in every form.
  const [{ status, content }] = parseResults(formatResults([result])) as [ToolResult];
  return { content: typeof content === "string" ? content : jsonText(content), failed: status === "failure" };
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
  return readResults(inside(text))?.map(({ tool, status, content }) => ({ tool, status, content })) ?? null;
}

/** The results that a JSON array holds, as they stand; undefined when it is none of results. */
export function readResults(text: string): ToolResult[] | undefined {
  const value = json(text);
  return Array.isArray(value) && value.every(isResult) ? value : undefined;
}

/** What stands between the markers, if they do. */
function inside(text: string): string {
  const start = skipSpace(text, 0);
  const end = endOfText(text);
  const isBlock = text.startsWith(RESULTS, start) && text.endsWith(RESULTS_CLOSE, end);
  return isBlock ? text.slice(start + RESULTS.length, end - RESULTS_CLOSE.length) : text;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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

/**
 * The call that a `call` event announces.
 *
 * @throws TypeError if the content is not the JSON text of a call, which no parser and no driver writes
 */
export function callOf(event: Pick<CallEvent, "content" | "id">): ToolCall {
  const { name, args } = (json(event.content) ?? {}) as Partial<ToolCall>;
  if (typeof name !== "string" || typeof args !== "object" || args === null || Array.isArray(args)) {
    throw new TypeError(`Not the JSON text of a call: ${event.content.slice(0, 80)}`);
  }
  return event.id === undefined ? { name, args } : { name, args, id: event.id };
}

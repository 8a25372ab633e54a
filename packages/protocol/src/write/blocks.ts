import { callContent } from "../call-content.ts";
import type { Dialect } from "../message.ts";
import { checkOptions, type OptionTable, oneOf } from "../options/index.ts";
import { jsonText } from "../text/json-text.ts";
import { escapeMarkers, THINK, THINK_CLOSE } from "../text/markers.ts";
import type { ToolCall, ToolResult } from "../tool.ts";
import { xmlCall } from "./xml-call.ts";

/**
 * Writes `<think>…</think>`. A `</think>` inside of the content, which only text from elsewhere can hold, becomes
 * `< /think>`, so that it does not close the block.
 */
export function formatThink(content: string): string {
  return `${THINK}${content.replaceAll(THINK_CLOSE, "< /think>")}${THINK_CLOSE}`;
}

export interface DialectOptions {
  /** The dialect of the blocks; defaults to `"json"`. */
  dialect?: Dialect | undefined;
}

export const dialectOptions = {
  dialect: /* @__PURE__ */ oneOf("json", "xml"),
} satisfies OptionTable<DialectOptions>;

/**
 * Writes one `<execute>` block with one call a line. Ids are not written.
 *
 * @throws TypeError or RangeError, with the code `invalid_option`, for a dialect that is none
 */
export function formatCalls(calls: readonly ToolCall[], options: DialectOptions = {}): string {
  checkOptions("formatCalls", options, dialectOptions);
  return options.dialect === "xml"
    ? block("execute", calls.map(xmlCall))
    : jsonBlock(calls.map(({ name, args }) => callContent(name, args)));
}

/** Writes one `<execute>` block of the JSON dialect, from calls that are JSON text. */
export function jsonBlock(calls: readonly string[]): string {
  return block("execute", calls.length === 0 ? ["[]"] : ["[", escapeMarkers(calls.join(",\n")), "]"]);
}

/**
 * Writes the `<results>` block. For any content it holds exactly one opener, one closer and no other marker. Content that
 * JSON cannot hold, such as a cycle, makes its result a failure that says so (protocol.md §4).
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

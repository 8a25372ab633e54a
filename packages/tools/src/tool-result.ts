import type { ToolResult } from "@cogency/protocol";
import type { ToolExecution } from "./execution.ts";
import { toJson } from "./to-json.ts";

/** What the model reads of an execution: the value as JSON, or the error's message (protocol.md §4). Never throws. */
export function toToolResult(execution: ToolExecution): ToolResult {
  const tool = execution.call.name.toWellFormed();
  try {
    if (execution.outcome === "success") return { tool, status: "success", content: toJson(execution.value) };
    return { tool, status: "failure", content: messageOf(execution.error, execution.outcome) };
  } catch (error) {
    return {
      tool,
      status: "failure",
      content: `The tool ran, but its result cannot be shown. ${messageOf(error, "failure")}`,
    };
  }
}

function messageOf(error: unknown, otherwise: string): string {
  const message = error instanceof Error ? error.message || error.name : "";
  return (message || otherwise).toWellFormed();
}

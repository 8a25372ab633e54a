import type { ToolResult } from "@cogency/protocol";
import { describeError } from "../describe-error.ts";
import type { ToolExecution } from "../execution.ts";
import { messageOf } from "../message-of.ts";
import { toJson } from "./to-json.ts";
import { truncatedResult } from "./truncated-result.ts";

/**
 * What the model reads of an execution: the value as JSON, or the error's message with its causes (protocol.md §4), shortened in its
 * middle to what the execution's `resultLimit` admits. Never throws.
 */
export function toToolResult(execution: ToolExecution): ToolResult {
  const { id, resultLimit } = execution;
  const whole = wholeResult(execution);
  return resultLimit ? truncatedResult(whole, { id, ...resultLimit }) : whole;
}

/** The same, but whole: what is kept, so that the model can read on. Never throws. */
export function wholeResult(execution: ToolExecution): ToolResult {
  const tool = execution.call.name.toWellFormed();
  try {
    if (execution.outcome === "success") return { tool, status: "success", content: toJson(execution.value) };
    return { tool, status: "failure", content: textOf(execution) };
  } catch (error) {
    return {
      tool,
      status: "failure",
      content: `The tool ran, but its result cannot be shown. ${messageOf(error) ?? ""}`.trim().toWellFormed(),
    };
  }
}

function textOf({ error, outcome }: ToolExecution): string {
  // What caused a refusal is the host's business; what made a tool fail helps the model to mend it.
  const text = outcome === "failure" ? describeError(error) : messageOf(error);
  return (text || error?.name || outcome).toWellFormed();
}

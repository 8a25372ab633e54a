import type { ToolResult } from "@cogency/protocol";
import { describeError } from "../describe-error.ts";
import { isToolError } from "../errors.ts";
import type { ToolExecution } from "../execution.ts";
import { messageOf } from "../message-of.ts";
import { toJson } from "./to-json.ts";
import { truncatedResult } from "./truncated-result.ts";

/**
 * The result that the model reads: the value as JSON, or the message of the error with its causes (protocol.md §4). If it
 * exceeds the `resultLimit` of the execution, its middle is left out. Never throws.
 */
export function toToolResult(execution: ToolExecution): ToolResult {
  const { id, resultLimit } = execution;
  const whole = wholeResult(execution);
  return resultLimit ? truncatedResult(whole, { id, ...resultLimit }) : whole;
}

/** The whole result, which the log keeps so that the model can read all of it. Never throws. */
export function wholeResult(execution: ToolExecution): ToolResult {
  const tool = execution.call.name.toWellFormed();
  try {
    const { attachments } = execution;
    if (execution.outcome === "success") {
      return { tool, status: "success", content: toJson(execution.value), ...(attachments && { attachments }) };
    }
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
  // What the hook threw may quote what the model may not read.
  if (isToolError(error, "blocked") && isToolError(error.cause, "hook_failed")) {
    return "The call was blocked and did not run: a hook failed.";
  }
  if (isToolError(error, "hook_failed")) return "The tool ran, but its result is withheld: a hook failed.";
  // The causes of a failure help the model to correct its call; those of a denial or a block are for the host only.
  const text = outcome === "failure" ? describeError(error) : messageOf(error);
  return (text || error?.name || outcome).toWellFormed();
}

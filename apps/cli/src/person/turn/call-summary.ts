import type { ToolResult } from "@cogency/protocol";
import { summarizeFailure, summarizeResult } from "@cogency/toolbox";
import { revealed } from "../../base/terminal/text.ts";
import { agentSummary } from "../show/agent-summary.ts";
import { failedCommand } from "./output-of.ts";

/** What came of a call, in a few words on one line. What a command printed is not among them: it stands below. */
export function callSummary(result: ToolResult): string {
  const isDone = result.status === "success";
  const words = isDone
    ? (agentSummary(result.content) ?? summarizeResult(result))
    : (failedCommand(result.content)?.ending ?? summarizeFailure(result));
  return revealed(words).replace(/\s+/g, " ").trim();
}

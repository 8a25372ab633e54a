import { styleText } from "node:util";
import type { ToolCall, ToolResult } from "@cogency/protocol";
import { summarizeFailure, summarizeResult } from "@cogency/toolbox";
import { oneLine, revealed, wrappedFor } from "../../base/terminal/text.ts";
import { planCallText, presentedText } from "../plan/plan-texts.ts";
import { pathText } from "./agent-paths.ts";
import { agentLine } from "./agent-summary.ts";

/** `→ read {"file":"package.json"}`, or `→ reviewer › read {"file":"package.json"}` of an agent that a call has started */
export function callLine({ name, args }: ToolCall, stream: NodeJS.WriteStream, path: readonly string[] = []): string {
  const shown = pathText(path, name);
  const text = planCallText({ name, args }) ?? JSON.stringify(args);
  return line(styleText("cyan", "→", { stream }), shown, fitted(text, shown, stream), stream);
}

/** `✓ read 214 bytes`, `✗ read "x" does not exist.`, `✗ shell exit code 1, no such file` */
export function resultLine(result: ToolResult, stream: NodeJS.WriteStream, path: readonly string[] = []): string {
  const { status } = result;
  const tool = pathText(path, result.tool);
  if (status === "success") {
    return line(
      styleText("green", "✓", { stream }),
      tool,
      fitted(presentedText(result) ?? agentLine(result.content) ?? summarizeResult(result), tool, stream),
      stream,
    );
  }
  const head = `✗ ${tool} `;
  const text = wrappedFor(stream, head + oneLine(revealed(summarizeFailure(result)), longestReason));
  return line(styleText("red", "✗", { stream }), tool, text.slice(head.length), stream);
}

const longestReason = 500;

function line(sign: string, tool: string, text: string, stream: NodeJS.WriteStream): string {
  return `${sign} ${styleText("bold", tool, { stream })} ${text}`;
}

/** The part that fits on the line of the tool. */
function fitted(text: string, tool: string, { columns = 160 }: NodeJS.WriteStream): string {
  return oneLine(revealed(text), Math.max(20, columns - tool.length - 3));
}

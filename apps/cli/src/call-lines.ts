import { styleText } from "node:util";
import type { ToolCall, ToolResult } from "@cogency/protocol";
import { outcome } from "./outcome.ts";
import { oneLine, revealed } from "./text.ts";

/** `→ read {"file":"package.json"}` */
export function callLine({ name, args }: ToolCall, stream: NodeJS.WriteStream): string {
  return line(styleText("cyan", "→", { stream }), name, fitted(JSON.stringify(args), name, stream), stream);
}

/** `✓ read 214 bytes`, `✗ read "x" does not exist.`, `✗ shell exit code 1, no such file` */
export function resultLine(result: ToolResult, stream: NodeJS.WriteStream): string {
  const { tool, status, content } = result;
  if (status === "success") {
    const sign = isFailedCommand(result) ? styleText("red", "✗", { stream }) : styleText("green", "✓", { stream });
    return line(sign, tool, fitted(outcome(result), tool, stream), stream);
  }
  const message = typeof content === "string" ? content : JSON.stringify(content);
  // Messages of the executor begin with the tool's name, which the line has already.
  const reason = message.startsWith(`${tool} `) ? message.slice(tool.length + 1) : message;
  return line(styleText("red", "✗", { stream }), tool, oneLine(revealed(reason), longestReason), stream);
}

/** To the model any exit code is a result; a person who reads `✓` takes it that the tests have passed. */
function isFailedCommand({ tool, content }: ToolResult): boolean {
  if (tool !== "shell" || typeof content !== "object" || content === null || Array.isArray(content)) return false;
  return content.exitCode !== 0;
}

const longestReason = 500;

function line(sign: string, tool: string, text: string, stream: NodeJS.WriteStream): string {
  return `${sign} ${styleText("bold", oneLine(tool, 64), { stream })} ${text}`;
}

/** What there is room for on the line of the tool. */
function fitted(text: string, tool: string, { columns = 160 }: NodeJS.WriteStream): string {
  return oneLine(revealed(text), Math.max(20, columns - tool.length - 3));
}

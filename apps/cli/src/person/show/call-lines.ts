import { styleText } from "node:util";
import type { ToolCall, ToolResult } from "@cogency/protocol";
import { summarizeFailure, summarizeResult } from "@cogency/toolbox";
import { oneLine, revealed, wrappedFor } from "../../base/terminal/text.ts";
import { planCallText, presentedText } from "../plan/plan-texts.ts";

/** `→ read {"file":"package.json"}` */
export function callLine({ name, args }: ToolCall, stream: NodeJS.WriteStream): string {
  return line(
    styleText("cyan", "→", { stream }),
    name,
    fitted(planCallText({ name, args }) ?? JSON.stringify(args), name, stream),
    stream,
  );
}

/** `✓ read 214 bytes`, `✗ read "x" does not exist.`, `✗ shell exit code 1, no such file` */
export function resultLine(result: ToolResult, stream: NodeJS.WriteStream): string {
  const { tool, status } = result;
  if (status === "success") {
    return line(
      styleText("green", "✓", { stream }),
      tool,
      fitted(presentedText(result) ?? summarizeResult(result), tool, stream),
      stream,
    );
  }
  const head = `✗ ${oneLine(tool, 64)} `;
  const text = wrappedFor(stream, head + oneLine(revealed(summarizeFailure(result)), longestReason));
  return line(styleText("red", "✗", { stream }), tool, text.slice(head.length), stream);
}

const longestReason = 500;

function line(sign: string, tool: string, text: string, stream: NodeJS.WriteStream): string {
  return `${sign} ${styleText("bold", oneLine(tool, 64), { stream })} ${text}`;
}

/** The part that fits on the line of the tool. */
function fitted(text: string, tool: string, { columns = 160 }: NodeJS.WriteStream): string {
  return oneLine(revealed(text), Math.max(20, columns - tool.length - 3));
}

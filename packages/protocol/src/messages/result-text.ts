import { parseResults } from "../results.ts";
import { jsonText } from "../text/json-text.ts";
import type { ToolResult } from "../tool.ts";
import { formatResults } from "../write/blocks.ts";

/** A result for a form that writes it as plain text: a string stays as it is, any other value becomes JSON text. */
export function resultText(result: ToolResult): Pick<ToolResult, "attachments"> & { content: string; failed: boolean } {
  // Written and read back, so that a value that JSON cannot hold becomes the same in every form.
  const [{ status, content }] = parseResults(formatResults([result])) as [ToolResult];
  const { attachments } = result;
  return {
    content: typeof content === "string" ? content : jsonText(content),
    failed: status === "failure",
    ...(attachments && { attachments }),
  };
}

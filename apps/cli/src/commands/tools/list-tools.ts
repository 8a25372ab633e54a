import type { Tool } from "@cogency/tools";
import { put, putLine } from "../../base/terminal/output.ts";
import { tableLines } from "../../base/terminal/table-lines.ts";
import { oneLine, widthOr } from "../../base/terminal/text.ts";
import { type ToolsOptions, withTools } from "./with-tools.ts";

export type { ToolsOptions } from "./with-tools.ts";

/** `cogency tools list` */
export async function listTools(options: ToolsOptions & { json?: true }): Promise<void> {
  await withTools(options, false, async (tools) => {
    if (options.json) {
      for (const { name, description, annotations } of tools) await putLine({ name, description, annotations });
      return;
    }
    const rows = tools.map((tool) => [tool.name, effectOf(tool), firstSentence(tool.description)]);
    const lines = tableLines(rows, { columns: widthOr(process.stdout, Number.POSITIVE_INFINITY) });
    await put(lines.map((line) => `${line}\n`).join(""));
  });
}

/** What a call does, in one word: whether it asks follows from it. */
export function effectOf({ annotations, approval }: Tool): string {
  if (annotations.readOnlyHint) return annotations.openWorldHint ? "reaches" : "reads";
  return approval === "deny" ? "denied" : "changes";
}

function firstSentence(description: string): string {
  const [first = ""] = description.split(/(?<=\.)\s/);
  return oneLine(first, 200);
}

import type { Tool } from "@cogency/tools";
import { putLine } from "../../base/terminal/output.ts";
import { putTable } from "../../base/terminal/put-table.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { type ToolsOptions, withTools } from "./with-tools.ts";

export type { ToolsOptions } from "./with-tools.ts";

/** `cogency tools list` */
export async function listTools(options: ToolsOptions & { json?: true }): Promise<void> {
  await withTools(options, false, async (tools) => {
    if (options.json) {
      for (const { name, description, annotations } of tools) await putLine({ name, description, annotations });
      return;
    }
    await putTable(tools.map((tool) => [tool.name, effectOf(tool), firstSentence(tool.description)]));
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

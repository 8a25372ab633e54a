import { hookName } from "@cogency/hook-programs";
import { note } from "../../base/terminal/note.ts";
import { put, putLine } from "../../base/terminal/output.ts";
import { tableLines } from "../../base/terminal/table-lines.ts";
import { oneLine, widthOr } from "../../base/terminal/text.ts";
import { withinProject } from "../../place/config/project.ts";
import { whenText } from "../../work/hooks/hook-text.ts";
import { type HooksOptions, hooksHere } from "./hooks-here.ts";

/** `cogency hooks list` @throws UsageError for an invalid configuration */
export async function listHooks({ json, ...options }: HooksOptions & { json?: true }): Promise<void> {
  const { project, hooks } = await hooksHere(options);
  if (json) {
    await putLine(
      hooks.map(({ program: { files: _, ...program }, place }) => ({ ...program, name: hookName(program), place })),
    );
  } else if (hooks.length === 0)
    await put("There are no hooks here. To add one, use the key hooks of a configuration.\n");
  else {
    const rows = hooks.map(({ program, place }) => [
      oneLine(hookName(program), 60),
      oneLine(place, 100),
      oneLine(whenText(program), 100),
      oneLine(program.command, 300),
    ]);
    const lines = tableLines(rows, { columns: widthOr(process.stdout, Number.POSITIVE_INFINITY) });
    await put(lines.map((line) => `${line}\n`).join(""));
  }
  const { review, trust, config, top } = project;
  if (options.config !== undefined || trust === "trusted" || review.hooks.length === 0) return;
  note(
    `Those of ${withinProject(project, config)} do not count until you trust the folder: cogency trust ${oneLine(top, 300)}`,
  );
}

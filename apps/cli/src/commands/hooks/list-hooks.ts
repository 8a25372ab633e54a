import { hookName } from "@cogency/hook-programs";
import { note } from "../../base/terminal/note.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { withinProject } from "../../place/config/project.ts";
import { noHooks, whenText } from "../../work/hooks/hook-text.ts";
import { printList } from "../lists/print-list.ts";
import { type HooksOptions, hooksHere } from "./hooks-here.ts";

/** `cogency hooks list` @throws UsageError for an invalid configuration */
export async function listHooks({ json, ...options }: HooksOptions & { json?: true }): Promise<void> {
  const { project, hooks } = await hooksHere(options);
  await printList(hooks, {
    json,
    object: ({ program: { files: _, ...program }, place }) => ({ ...program, name: hookName(program), place }),
    row: ({ program, place }) => [
      oneLine(hookName(program), 60),
      oneLine(place, 100),
      oneLine(whenText(program), 100),
      oneLine(program.command, 300),
    ],
    none: noHooks,
  });
  const { review, trust, config, top } = project;
  if (options.config !== undefined || trust === "trusted" || review.hooks.length === 0) return;
  note(
    `Those of ${withinProject(project, config)} do not count until you trust the folder: cogency trust ${oneLine(top, 300)}`,
  );
}

import { put } from "../../base/terminal/output.ts";
import { counted, visible } from "../../base/terminal/text.ts";
import { projectFiles } from "../../place/config/project.ts";
import { problemLine } from "../../place/texts/find-texts.ts";
import { ownFoldersOf } from "../../place/texts/text-folders.ts";
import { commandsIn } from "./commands-in.ts";

/**
 * `cogency commands check`: every fault of the commands in folders, with its line and what to write instead, and the fields that mean
 * nothing here.
 *
 * @param named the person's own folders and those of the project if empty
 * @param reserved names that no command may have
 * @returns the exit code: 1 if something is wrong, or if a folder that was named holds no command
 * @throws UsageError for a folder that there is not
 */
export async function checkCommands(named: readonly string[], reserved: readonly string[]): Promise<number> {
  const usual = [...ownFoldersOf("commands"), ...projectFiles(".").textFolders.commands];
  let [valid, wrong] = [0, 0];
  for (const folder of named.length > 0 ? named : usual) {
    const { commands, problems } = await commandsIn(folder, reserved);
    valid += commands.length;
    wrong += problems.length;
    for (const problem of problems) await put(`${visible(problemLine(problem))}\n`);
    for (const { file, ignored = [] } of commands)
      if (ignored.length > 0) await put(`${visible(`${file}: means nothing here: ${ignored.join(", ")}.`)}\n`);
    if (commands.length > 0 || problems.length > 0 || named.length === 0) continue;
    wrong++;
    await put(`${visible(folder)}: There is no Markdown file in this folder.\n`);
  }
  await put(`${counted(valid, "valid command")}, ${counted(wrong, "fault")}\n`);
  return wrong === 0 ? 0 : 1;
}

import { note } from "../../base/terminal/note.ts";
import { put, putLine } from "../../base/terminal/output.ts";
import { tableLines } from "../../base/terminal/table-lines.ts";
import { oneLine, widthOr } from "../../base/terminal/text.ts";
import { openProject } from "../../place/config/open-project.ts";
import { problemLine } from "../../place/texts/find-texts.ts";
import { openCommands } from "../../work/commands/open-commands.ts";
import { commandsIn } from "./commands-in.ts";

export interface ListCommandsOptions {
  json?: true;
  folder?: string;
}

/**
 * `cogency commands list`
 *
 * @param reserved names that no command of a file may have
 * @throws UsageError for a folder that there is not
 */
export async function listCommands({ json, folder }: ListCommandsOptions, reserved: readonly string[]): Promise<void> {
  const { commands, problems } = folder === undefined ? await commandsHere(reserved) : await placed(folder, reserved);
  if (json) {
    const rows = commands.map(({ name, description, argumentHint, allowedTools, path }) => {
      return { name, description, path, argumentHint, allowedTools };
    });
    await putLine(rows);
  } else if (commands.length === 0) await put("There are no commands there.\n");
  else {
    const rows = commands.map(({ name, argumentHint = "", place, description }) => [
      oneLine(`/${name} ${argumentHint}`, 60).trim(),
      oneLine(place, 100),
      oneLine(description, 200),
    ]);
    const lines = tableLines(rows, { columns: widthOr(process.stdout, Number.POSITIVE_INFINITY) });
    await put(lines.map((line) => `${line}\n`).join(""));
  }
  for (const problem of problems) note(`Left out: ${problemLine(problem)}`);
}

async function commandsHere(reserved: readonly string[]) {
  const project = await openProject(".");
  const { commands, problems } = await openCommands(project, {
    root: project.top,
    isMarked: () => false,
    ofProject: true,
    surroundings: { base: project.top, isolated: false, hosts: [] },
    guarded: [],
  }).list(reserved);
  return {
    commands: commands.map((command) => ({ ...command, path: "file" in command ? command.file : null })),
    problems,
  };
}

async function placed(folder: string, reserved: readonly string[]) {
  const { commands, problems } = await commandsIn(folder, reserved);
  return { commands: commands.map((command) => ({ ...command, place: command.file, path: command.file })), problems };
}

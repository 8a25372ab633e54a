import { oneLine } from "../../base/terminal/text.ts";
import { openProject } from "../../place/config/open-project.ts";
import { openCommands } from "../../work/commands/open-commands.ts";
import { printList } from "../lists/print-list.ts";
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
  await printList<(typeof commands)[number]>(commands, {
    json,
    object: ({ name, description, argumentHint, allowedTools, path }) => {
      return { name, description, path, argumentHint, allowedTools };
    },
    row: ({ name, argumentHint = "", place, description }) => [
      oneLine(`/${name} ${argumentHint}`, 60).trim(),
      oneLine(place, 100),
      oneLine(description, 200),
    ],
    none: "There are no commands there.",
    problems,
  });
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
  const { items, problems } = await commandsIn(folder, reserved);
  return { commands: items.map((command) => ({ ...command, place: command.file, path: command.file })), problems };
}

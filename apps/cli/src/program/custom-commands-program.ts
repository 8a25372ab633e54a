import type { Command } from "commander";
import type { ListCommandsOptions } from "../commands/custom/list-commands.ts";
import { valueOption } from "./options.ts";

/** `cogency commands`: what a person may type after a slash. */
export function addCustomCommands(program: Command, exit: (code: number) => void): void {
  const commands = program
    .command("commands")
    .description("list commands, which are prompts that you call by a name, and check their files")
    .helpCommand(false);

  commands
    .command("list")
    .description("list the commands that count here, and where each is from")
    .option("--json", "one JSON array: name, description, path, argument hint and tools of each")
    .addOption(valueOption("--folder <path>", "those of this folder instead, or of a project"))
    .action(async (options: ListCommandsOptions) => {
      const [{ listCommands }, { slashNames }] = await Promise.all([
        import("../commands/custom/list-commands.ts"),
        import("../chat/slash/slash-commands.ts"),
      ]);
      await listCommands(options, slashNames());
    });

  commands
    .command("check")
    .description("print each fault of commands, with its line and what to write instead")
    .argument("[folder...]", "a folder, a file or a project; your own folders and those of the project if absent")
    .action(async (folders: readonly string[]) => {
      const [{ checkCommands }, { slashNames }, { builtInCommands }] = await Promise.all([
        import("../commands/custom/check-commands.ts"),
        import("../chat/slash/slash-commands.ts"),
        import("../work/commands/built-in-commands.ts"),
      ]);
      exit(await checkCommands(folders, [...slashNames(), ...builtInCommands.map(({ name }) => name)]));
    });
}

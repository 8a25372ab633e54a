import type { Command } from "commander";
import type { MarkCommandOptions } from "../commands/mark-command.ts";
import type { TreeCommandOptions } from "../commands/tree-command.ts";
import { optionOf, valueOption } from "./options.ts";

const conversation = "its id, the beginning of its id, or words of its title";

/** The commands on the points of conversations. */
export function addPointCommands(program: Command): void {
  program
    .command("tree")
    .description("show the forks of a conversation, with their turns and the points that have names")
    .argument("[conversation]", `${conversation}; the latest of this folder if absent`)
    .addOption(optionOf("store"))
    .option("--json", "the tree as JSON")
    .action(async (wanted: string | undefined, options: TreeCommandOptions) => {
      const { treeCommand } = await import("../commands/tree-command.ts");
      await treeCommand(wanted, options);
    });

  program
    .command("mark")
    .description("name a point of a conversation, for fork, rewind and tree")
    .argument("<conversation>", conversation)
    .argument("<name...>", "at most 60 characters; a name that another point has moves")
    .addOption(optionOf("store"))
    .addOption(valueOption("--at <point>", "a number of events, turn:2, message:3 or a name; the end if absent"))
    .option("--remove", "take the name back")
    .action(async (wanted: string, name: string[], options: MarkCommandOptions) => {
      const { markCommand } = await import("../commands/mark-command.ts");
      await markCommand(wanted, name.join(" "), options);
    });
}

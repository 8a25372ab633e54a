import type { Command } from "commander";
import type { RewindOptions } from "../commands/rewind/rewind.ts";
import { storeOption, valueOption } from "./options.ts";

/** `cogency rewind`. */
export function addRewindCommand(program: Command): void {
  program
    .command("rewind")
    .description("undo what the agent did to files, and go on from an earlier point of the conversation")
    .argument(
      "[conversation]",
      "its id, the beginning of its id, or words of its title; the latest of this folder if absent",
    )
    .addOption(
      valueOption(
        "--to <point>",
        "undo this and all after it: the number of a turn, a call or an undo; the last turn if absent",
      ),
    )
    .option("--files", "only the files; without --to, the latest turn that can be undone")
    .option("--conversation", "only the conversation, as a new one that ends there; nothing of this one is lost")
    .addOption(valueOption("--root <folder>", "where the folder that the agent worked in is now, if it has moved"))
    .option("--dry-run", "only show what would be done")
    .option("--yes", "do not ask")
    .addOption(storeOption())
    .action(async (conversation: string | undefined, options: RewindOptions) => {
      const { rewind } = await import("../commands/rewind/rewind.ts");
      await rewind(conversation, options);
    });
}

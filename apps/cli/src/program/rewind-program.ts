import type { Command } from "commander";
import type { RewindOptions } from "../commands/rewind.ts";
import { accessOption, storeOption, valueOption } from "./options.ts";

/** `cogency rewind`. */
export function addRewindCommand(program: Command, exit: (code: number) => void): void {
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
    .addOption(accessOption("how far the undo reaches: what the agent changed with a wider access is left"))
    .option("--dry-run", "only show what would be done")
    .option("--yes", "do not ask")
    .addOption(storeOption())
    .action(async (conversation: string | undefined, options: RewindOptions) => {
      const { rewind } = await import("../commands/rewind.ts");
      exit(await rewind(conversation, options));
    });
}

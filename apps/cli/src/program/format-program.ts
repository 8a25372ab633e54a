import { type Command, Option } from "commander";
import type { FormatCommandOptions } from "../commands/format-command.ts";

/** `cogency format`: the counterpart of `parse`. */
export function addFormatCommand(program: Command): void {
  program
    .command("format")
    .description("read events as parse prints them from stdin, and write what a model would have written")
    .addOption(new Option("--dialect <name>", "how calls are written").choices(["json", "xml"]).default("json"))
    .action(async (options: FormatCommandOptions) => {
      const { formatCommand } = await import("../commands/format-command.ts");
      await formatCommand(options);
    });
}

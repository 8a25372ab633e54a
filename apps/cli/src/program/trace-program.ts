import type { Command } from "commander";
import type { TraceOptions } from "../commands/trace/trace-command.ts";
import { storeOption, userOption, valueOption } from "./options.ts";

/** `cogency trace`: what a conversation did, and when, in lines or as a page. */
export function addTraceCommand(program: Command): void {
  program
    .command("trace")
    .description("show what a conversation did, and when; or write all of it as one HTML page")
    .argument("<conversation>", "its id, the beginning of its id, or words of its title")
    .addOption(valueOption("--html <file>", "write a page to a new file that only you can read; - for stdout"))
    .option("--force", "overwrite the file of --html")
    .option("--raw", "keep secrets in the page")
    .addOption(storeOption())
    .addOption(userOption("the user of another application whose conversation it is; one of your own runs if absent"))
    .action(async (conversation: string, options: TraceOptions) => {
      const { traceCommand } = await import("../commands/trace/trace-command.ts");
      await traceCommand(conversation, options);
    });
}

import type { Command } from "commander";
import type { TraceOptions } from "../commands/trace/trace-command.ts";
import { storeOption, userOption, valueOption } from "./options.ts";

/** `cogency trace`: a conversation as a page to look at. */
export function addTraceCommand(program: Command): void {
  program
    .command("trace")
    .description("write a conversation as one HTML page: messages, requests, calls, cost and times")
    .argument("<conversation>", "its id, the beginning of its id, or words of its title")
    .addOption(valueOption("--html <file>", "a new file that only you can read; stdout if absent"))
    .option("--force", "overwrite the file")
    .option("--raw", "keep secrets")
    .addOption(storeOption())
    .addOption(userOption("the user of another application whose conversation it is; one of your own runs if absent"))
    .action(async (conversation: string, options: TraceOptions) => {
      const { traceCommand } = await import("../commands/trace/trace-command.ts");
      await traceCommand(conversation, options);
    });
}

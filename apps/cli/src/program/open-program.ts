import type { Command } from "commander";
import type { Cancellation } from "../base/cancellation.ts";
import type { OpenCommandOptions } from "../commands/open/open-command.ts";
import type { TraceOptions } from "../commands/trace/trace-command.ts";
import type { WhyCommandOptions } from "../commands/why/why-command.ts";
import { addOptions, optionOf, portOption, userOption, valueOption } from "./options.ts";

/** `cogency open`: takes the options of `run` that have a meaning there. */
export function addOpenCommand(program: Command, cancellation: Cancellation, exit: (code: number) => void): void {
  const open = program
    .command("open")
    .description("look at conversations in the browser, and talk to them there, until Ctrl-C")
    .argument("[conversation]", "the one to show first, as run --resume finds it");
  addOptions(open, "open")
    .addOption(portOption("--port <number>", "the port of 127.0.0.1 to listen on; a free one if absent"))
    .option("--no-browser", "only print the link")
    .action(async (conversation: string | undefined, options: OpenCommandOptions) => {
      const { openCommand } = await import("../commands/open/open-command.ts");
      exit(await openCommand(conversation, options, cancellation));
    });
}

/** `cogency trace`: what a conversation did, and when, in lines or as a page. */
export function addTraceCommand(program: Command): void {
  program
    .command("trace")
    .description("show what a conversation did, and when; or write all of it as one HTML page")
    .argument("<conversation>", "its id, the beginning of its id, or words of its title")
    .addOption(valueOption("--html <file>", "write a page to a new file that only you can read; - for stdout"))
    .option("--force", "overwrite the file of --html")
    .option("--raw", "keep secrets in the page")
    .addOption(optionOf("store"))
    .addOption(userOption("the user of another application whose conversation it is; one of your own runs if absent"))
    .action(async (conversation: string, options: TraceOptions) => {
      const { traceCommand } = await import("../commands/trace/trace-command.ts");
      await traceCommand(conversation, options);
    });
}

/** `cogency why`: what made a request, or what led to a call. */
export function addWhyCommand(program: Command): void {
  program
    .command("why")
    .description("show what made a request and what broke its cached beginning, or what led to a call")
    .argument("<conversation>", "its id, the beginning of its id, or words of its title")
    .argument(
      "[event]",
      "the number of a request, of a call or of a record about one, or the id of a call; the last request if absent",
    )
    .addOption(optionOf("prices", "what models cost, as JSON; what a broken beginning cost is then shown, too"))
    .option("--json", "all of it as one line of JSON")
    .addOption(optionOf("store"))
    .addOption(userOption("the user of another application whose conversation it is; one of your own runs if absent"))
    .action(async (conversation: string, event: string | undefined, options: WhyCommandOptions) => {
      const { whyCommand } = await import("../commands/why/why-command.ts");
      await whyCommand(conversation, event, options);
    });
}

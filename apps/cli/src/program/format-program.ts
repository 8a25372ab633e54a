import { type Command, Option } from "commander";
import type { FormatCommandOptions } from "../commands/format-command.ts";
import type { ParseCommandOptions } from "../commands/parse-command.ts";
import { optionOf } from "./options.ts";

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

/** `cogency parse` */
export function addParseCommand(program: Command): void {
  program
    .command("parse")
    .description("read what a model wrote from stdin and print its events, one line of JSON each")
    .addOption(
      new Option("--stream <view>", "token: pieces as they arrive; event: whole units")
        .choices(["token", "event"])
        .default("event"),
    )
    .addOption(optionOf("startIn", "think: the text begins inside of a think block"))
    .option("--repair", "read a malformed block, too, if it can be read in one way only, without loss")
    .addOption(
      new Option("--results <policy>", "allow: the text is a transcript with results of the system's own")
        .choices(["forbid", "allow"])
        .default("forbid"),
    )
    .addOption(
      new Option("--finish <reason>", "how the generation ended")
        .choices(["stop", "length", "tool_calls", "content_filter", "aborted", "other"])
        .default("stop"),
    )
    .action(async (options: ParseCommandOptions) => {
      const { parseCommand } = await import("../commands/parse-command.ts");
      await parseCommand(options);
    });
}

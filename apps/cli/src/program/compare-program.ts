import { type Command, Option } from "commander";
import type { Cancellation } from "../base/cancellation.ts";
import type { CompareCommandOptions } from "../commands/compare/compare-command.ts";
import type { OptionName } from "../place/config/option-table.ts";
import { typedOptions } from "./config-program.ts";
import { addOptions, countOption, repeated, valueOption } from "./options.ts";

/** `cogency compare`: takes the options of `run` that say what an agent is. */
export function addCompareCommand(program: Command, cancellation: Cancellation, exit: (code: number) => void): void {
  const compare = program
    .command("compare")
    .description("run stored conversations again with other models, a driver or a prompt, and show the difference")
    .argument("[conversations...]", "their ids, the beginnings of their ids, or words of their titles")
    .option("--all", "all conversations of this folder")
    .addOption(
      valueOption(
        "--from <point>",
        "the number of an event, or message:3 for your third message; your last one if absent",
      ),
    )
    .addOption(
      repeated(
        "--model <name>",
        "a model to compare, several times for several; anthropic:claude-haiku names its provider, too",
      ),
    )
    .addOption(
      new Option(
        "--calls <how>",
        "recorded: calls get the results of the log; run: tools really run, in a copy of the root",
      )
        .choices(["recorded", "run"])
        .default("recorded"),
    )
    .addOption(countOption("--repeat <count>", "how often each model runs").default(1));
  addOptions(compare, "run", (name) => options.has(name))
    .option("--json", "one object of JSON")
    .addOption(valueOption("--page <file>", "also write the differences to a new HTML page that only you can read"))
    .option("--force", "overwrite the file of --page")
    .option("--raw", "keep secrets in the page")
    .option("--keep", "keep the conversations of the models, as forks")
    .option("--yes", "do not ask")
    .action(async (conversations: string[], given: Omit<CompareCommandOptions, "typed">, command: Command) => {
      const { compareCommand } = await import("../commands/compare/compare-command.ts");
      exit(await compareCommand(conversations, { ...given, typed: typedOptions(command) }, cancellation));
    });
}

const options: ReadonlySet<OptionName> = new Set<OptionName>([
  "provider",
  "baseUrl",
  "apiKeyEnv",
  "api",
  "driver",
  "dialect",
  "startIn",
  "repair",
  "grammar",
  "think",
  "prices",
  "maxCost",
  "maxSeconds",
  "maxTokens",
  "maxCalls",
  "contextWindow",
  "compact",
  "root",
  "access",
  "tools",
  "tool",
  "sandbox",
  "network",
  "maxCommandSeconds",
  "untrusted",
  "recall",
  "store",
  "allow",
  "content",
  "profile",
  "config",
  "system",
  "contextFiles",
  "readOnly",
]);

import type { Command } from "commander";
import type { TestFromOptions } from "../commands/test/test-from-command.ts";
import { optionOf, valueOption } from "./options.ts";

/** `cogency test`: conversations as tests. */
export function addTestCommands(program: Command): void {
  const test = program.command("test").description("make a test from a conversation").helpCommand(false);

  test
    .command("from")
    .description("write a vitest file that plays a conversation again, and fails if the agent behaves otherwise")
    .argument("<conversation>", "its id, the beginning of its id, or words of its title")
    .addOption(valueOption("--out <file>", "the file of the test; named after the first prompt if absent"))
    .addOption(
      valueOption(
        "--agent <module#name>",
        "the agent of the test, such as ./src/agent.ts#makeAgent; rebuilt if absent",
      ),
    )
    .option("--run-tools", "let the tools of that agent run in the test, and compare their results")
    .addOption(valueOption("--turns <1-n>", "only the first turns, such as 1-3; all if absent"))
    .option("--force", "overwrite files that exist")
    .addOption(optionOf("store"))
    .action(async (conversation: string, options: TestFromOptions) => {
      const { testFromCommand } = await import("../commands/test/test-from-command.ts");
      await testFromCommand(conversation, options);
    });
}

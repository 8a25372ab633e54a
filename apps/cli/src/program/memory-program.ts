import { type Command, Option } from "commander";
import type { MemoryCommandOptions } from "../commands/memory/show-memory.ts";
import { optionOf } from "./options.ts";

type About = "person" | "preference" | "project" | "rule";

/** `cogency memory`: what is remembered of the person. */
export function addMemoryCommands(program: Command): void {
  const memory = program
    .command("memory")
    .description("what is remembered of you, in your own words: show, change and forget it, or turn it on")
    .helpCommand(false);

  memory
    .command("show")
    .description("print what is remembered, and where you said it")
    .addOption(optionOf("store"))
    .option("--json", "one line of JSON each")
    .action(async (options: MemoryCommandOptions & { json?: true }) => {
      const { showMemory } = await import("../commands/memory/show-memory.ts");
      await showMemory(options);
    });

  memory
    .command("remember")
    .description("keep words of yours; no model drops them")
    .argument("<words...>", "at most 240 characters")
    .addOption(optionOf("store"))
    .addOption(
      new Option("--about <topic>", "what they are about; project: they count in this folder")
        .choices(["person", "preference", "project", "rule"])
        .default("preference"),
    )
    .action(async (words: string[], options: MemoryCommandOptions & { about?: About }) => {
      const { rememberWords } = await import("../commands/memory/change-memory.ts");
      await rememberWords(words.join(" "), options);
    });

  memory
    .command("edit")
    .description("change what is remembered in $EDITOR, one line each")
    .addOption(optionOf("store"))
    .action(async (options: MemoryCommandOptions) => {
      const { editMemory } = await import("../commands/memory/change-memory.ts");
      await editMemory(options);
    });

  memory
    .command("forget")
    .description("remove memories for good; the words stay in the conversations where you said them")
    .argument("[ids...]", "their ids, as show prints them")
    .addOption(optionOf("store"))
    .option("--all", "all of them; what you said up to now is not learned again")
    .option("--yes", "do not ask")
    .action(async (ids: string[], options: MemoryCommandOptions & { all?: true; yes?: true }) => {
      const { forgetMemory } = await import("../commands/memory/change-memory.ts");
      await forgetMemory(ids, options);
    });

  for (const use of ["on", "off"] as const) {
    memory
      .command(use)
      .description(
        use === "on"
          ? "learn from your messages from now on: writes memory into your configuration"
          : "learn nothing new, and tell the model nothing; what is kept stays",
      )
      .action(async () => {
        const { switchMemory } = await import("../commands/memory/switch-memory.ts");
        await switchMemory(use);
      });
  }
}

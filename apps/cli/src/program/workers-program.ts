import type { Command } from "commander";
import type { WorkersOptions } from "../commands/workers-command.ts";
import { optionOf, userOption, valueOption } from "./options.ts";

/** `cogency workers`: what waits for the workers of a store, and who does what. */
export function addWorkersCommand(program: Command): void {
  const workers = program
    .command("workers")
    .description("show who runs which conversation, what waits and what is parked")
    .helpCommand(false)
    .addOption(optionOf("store"))
    .addOption(scopeOption())
    .option("--json", "one line of JSON")
    .action(async (options: WorkersOptions) => {
      const { workersCommand } = await import("../commands/workers-command.ts");
      await workersCommand(options);
    });
  workers
    .command("release")
    .description("let workers go on with a conversation that is parked")
    .argument("<conversation>", "its id")
    .addOption(optionOf("store"))
    .addOption(userOption("whose conversation it is; one of your own runs if absent"))
    .action(async (conversation: string, options: { store: string; user?: string }) => {
      const { releaseCommand } = await import("../commands/workers-command.ts");
      await releaseCommand(conversation, options);
    });
}

function scopeOption() {
  return valueOption(
    "--scope <name>",
    "the scope of the workers' agent, - for an agent without one; the current folder, as for runs here, if absent",
  );
}

import { Command } from "commander";
import type { Cancellation } from "../base/cancellation.ts";
import type { TypedOptions } from "../place/config/typed-words.ts";
import type { ChangingChoice } from "../work/changing-agent.ts";
import { typedOptions } from "./config-program.ts";
import { addOptions } from "./options.ts";

/** `cogency acp`: takes the options of `run` that have a meaning there. */
export function addAcpCommand(program: Command, cancellation: Cancellation, exit: (code: number) => void): void {
  const acp = program
    .command("acp")
    .description("work in an editor, such as Zed or a JetBrains IDE, that starts this command (Agent Client Protocol)");
  addOptions(acp, "acp").action(async (options: ChangingChoice, command: Command) => {
    const { inOwnProcess } = await import("@cogency/acp/node");
    exit(
      await inOwnProcess(async () => {
        const { acpCommand } = await import("../commands/acp/acp-command.ts");
        const typed = typedOptions(command);
        return acpCommand(options, (folder) => choiceIn(folder, typed), cancellation);
      }),
    );
  });
}

/** The options as they are for a command that was typed in a folder. @throws UsageError for a configuration that cannot be used */
async function choiceIn(folder: string, typed: TypedOptions): Promise<ChangingChoice> {
  const command = addOptions(new Command("acp"), "acp");
  for (const [name, value] of Object.entries({ root: folder, ...typed }))
    command.setOptionValueWithSource(name, value, "cli");
  const { configure } = await import("../work/configure.ts");
  await configure(command);
  return command.opts<ChangingChoice>();
}

import type { Command } from "commander";
import type { ListAgentsOptions } from "../commands/agents/list-agents.ts";
import type { AgentToolOptions } from "../commands/agents/tool-names-here.ts";
import { optionOf, valueOption } from "./options.ts";

/** `cogency agents`: to which a model may give work. */
export function addAgentsCommands(program: Command, exit: (code: number) => void): void {
  const agents = program
    .command("agents")
    .description("list agents, to which the model can give work, and check their files")
    .helpCommand(false);

  agents
    .command("list")
    .description("list the agents that count here, and where each is from")
    .option("--json", "one JSON array: name, description and path of each")
    .addOption(valueOption("--folder <path>", "those of this folder instead, or of this project or file"))
    .addOption(optionOf("tool"))
    .action(async (options: ListAgentsOptions) => {
      const { listAgents } = await import("../commands/agents/list-agents.ts");
      await listAgents(options);
    });

  agents
    .command("check")
    .description("print each fault of agents, with its line and what to write instead")
    .argument("[file...]", "files, folders of them or projects; your own and those of the project if absent")
    .addOption(optionOf("tool"))
    .action(async (named: readonly string[], options: AgentToolOptions) => {
      const { checkAgents } = await import("../commands/agents/check-agents.ts");
      exit(await checkAgents(named, options));
    });
}

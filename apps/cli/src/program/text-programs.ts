import type { Command } from "commander";
import type { ListAgentsOptions } from "../commands/agents/list-agents.ts";
import type { AgentToolOptions } from "../commands/agents/tool-names-here.ts";
import type { ListCommandsOptions } from "../commands/custom/list-commands.ts";
import type { ListSkillsOptions } from "../commands/skills/list-skills.ts";
import { optionOf, valueOption } from "./options.ts";

/** `cogency commands`: what a person may type after a slash. */
export function addCustomCommands(program: Command, exit: (code: number) => void): void {
  const { list, check } = listAndCheck(
    program,
    "commands",
    "list commands, which are prompts that you call by a name, and check their files",
  );

  list
    .option("--json", "one JSON array: name, description, path, argument hint and tools of each")
    .addOption(valueOption("--folder <path>", "those of this folder instead, or of a project"))
    .action(async (options: ListCommandsOptions) => {
      const [{ listCommands }, { slashNames }] = await Promise.all([
        import("../commands/custom/list-commands.ts"),
        import("../chat/slash/slash-commands.ts"),
      ]);
      await listCommands(options, slashNames());
    });

  check
    .argument("[folder...]", "a folder, a file or a project; your own folders and those of the project if absent")
    .action(async (folders: readonly string[]) => {
      const [{ checkCommands }, { slashNames }, { builtInCommands }] = await Promise.all([
        import("../commands/custom/check-commands.ts"),
        import("../chat/slash/slash-commands.ts"),
        import("../work/commands/built-in-commands.ts"),
      ]);
      exit(await checkCommands(folders, [...slashNames(), ...builtInCommands.map(({ name }) => name)]));
    });
}

/** `cogency skills`: what a model may read when it needs it. */
export function addSkillsCommands(program: Command, exit: (code: number) => void): void {
  const { list, check } = listAndCheck(
    program,
    "skills",
    "list skills, which the model reads when it needs them, and check their files",
  );

  list
    .option("--json", "one JSON array: name, description and path of each")
    .addOption(
      valueOption("--folder <path>", "those of this folder instead: of one skill, of several, or of a project"),
    )
    .action(async (options: ListSkillsOptions) => {
      const { listSkills } = await import("../commands/skills/list-skills.ts");
      await listSkills(options);
    });

  check
    .argument("[folder...]", "of one skill, of several, or of a project; your own and those of the project if absent")
    .action(async (folders: readonly string[]) => {
      const { checkSkills } = await import("../commands/skills/check-skills.ts");
      exit(await checkSkills(folders));
    });
}

/** `cogency agents`: to which a model may give work. */
export function addAgentsCommands(program: Command, exit: (code: number) => void): void {
  const { list, check } = listAndCheck(
    program,
    "agents",
    "list agents, to which the model can give work, and check their files",
  );

  list
    .option("--json", "one JSON array: name, description and path of each")
    .addOption(valueOption("--folder <path>", "those of this folder instead, or of this project or file"))
    .addOption(optionOf("tool"))
    .action(async (options: ListAgentsOptions) => {
      const { listAgents } = await import("../commands/agents/list-agents.ts");
      await listAgents(options);
    });

  check
    .argument("[file...]", "files, folders of them or projects; your own and those of the project if absent")
    .addOption(optionOf("tool"))
    .action(async (named: readonly string[], options: AgentToolOptions) => {
      const { checkAgents } = await import("../commands/agents/check-agents.ts");
      exit(await checkAgents(named, options));
    });
}

/** `cogency NAME list` and `cogency NAME check`, for things of one kind. */
function listAndCheck(program: Command, name: string, description: string): Record<"list" | "check", Command> {
  const things = program.command(name).description(description).helpCommand(false);
  return {
    list: things.command("list").description(`list the ${name} that count here, and where each is from`),
    check: things.command("check").description(`print each fault of ${name}, with its line and what to write instead`),
  };
}

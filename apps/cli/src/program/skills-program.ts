import type { Command } from "commander";
import type { ListSkillsOptions } from "../commands/skills/list-skills.ts";
import { valueOption } from "./options.ts";

/** `cogency skills`: what a model may read when it needs it. */
export function addSkillsCommands(program: Command, exit: (code: number) => void): void {
  const skills = program
    .command("skills")
    .description("list skills, which the model reads when it needs them, and check their files")
    .helpCommand(false);

  skills
    .command("list")
    .description("list the skills that count here, and where each is from")
    .option("--json", "one JSON array: name, description and path of each")
    .addOption(
      valueOption("--folder <path>", "those of this folder instead: of one skill, of several, or of a project"),
    )
    .action(async (options: ListSkillsOptions) => {
      const { listSkills } = await import("../commands/skills/list-skills.ts");
      await listSkills(options);
    });

  skills
    .command("check")
    .description("print each fault of skills, with its line and what to write instead")
    .argument("[folder...]", "of one skill, of several, or of a project; your own and those of the project if absent")
    .action(async (folders: readonly string[]) => {
      const { checkSkills } = await import("../commands/skills/check-skills.ts");
      exit(await checkSkills(folders));
    });
}

import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { noSkills } from "../../place/skills/find-skills.ts";
import { checkName, showList } from "./named-things.ts";
import type { SharedCommand } from "./shared-command.ts";

/** `/skill` and `/skills`. */
export const skillCommands: readonly SharedCommand[] = [
  {
    name: "skill",
    argument: "<name> [arguments]",
    help: "tell the model to use a skill",
    complete: async ({ session }) => (await session.open()).skills.skills.map(({ name }) => name),
    async run(conversation, argument) {
      const [, name = "", given = ""] = /^(\S*)\s*(.*)$/s.exec(argument) ?? [];
      if (name === "") throw new UsageError("Which skill? /skill <name> [arguments]; /skills lists them.");
      const { skills } = (await conversation.session.open()).skills;
      checkName(
        "skill",
        name,
        skills.map((skill) => skill.name),
      );
      conversation.submit(`Use the skill "${name}"${given === "" ? "." : ` with these arguments: ${given}`}`);
    },
  },
  {
    name: "skills",
    help: "the skills that the model can use, and where each is from",
    async run({ session, view }) {
      const { skills, problems } = (await session.open()).skills;
      const rows = skills.map(({ name, place, description }) => {
        return [name, oneLine(`${place} · ${description}`, 200)] as const;
      });
      showList(view, rows, problems, noSkills());
    },
  },
];

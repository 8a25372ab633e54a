import { nearestNames } from "@cogency/protocol/options";
import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { noSkills } from "../../place/skills/find-skills.ts";
import { problemLine } from "../../place/texts/find-texts.ts";
import type { SlashCommand } from "./slash-command.ts";

/** `/skill` and `/skills`. */
export const skillCommands: readonly SlashCommand[] = [
  {
    name: "skill",
    argument: "<name> [arguments]",
    help: "tell the model to use a skill",
    complete: async ({ session }) => (await session.open()).skills.skills.map(({ name }) => name),
    async run(conversation, argument) {
      const [, name = "", given = ""] = /^(\S*)\s*(.*)$/s.exec(argument) ?? [];
      if (name === "") throw new UsageError("Which skill? /skill <name> [arguments]; /skills lists them.");
      const { skills } = (await conversation.session.open()).skills;
      const names = skills.map((skill) => skill.name);
      if (!names.includes(name)) {
        const [nearest] = nearestNames(name, names);
        const advice = nearest === undefined ? "/skills lists those that there are." : `Did you mean ${nearest}?`;
        throw new UsageError(`There is no skill ${oneLine(name, 80)}. ${advice}`);
      }
      conversation.submit(`Use the skill "${name}"${given === "" ? "." : ` with these arguments: ${given}`}`);
    },
  },
  {
    name: "skills",
    help: "the skills that the model can use, and where each is from",
    async run({ session, view }) {
      const { skills, problems } = (await session.open()).skills;
      if (skills.length === 0) view.remark(noSkills());
      else view.list(skills.map(({ name, place, description }) => [name, oneLine(`${place} · ${description}`, 200)]));
      for (const problem of problems) view.remark(`Left out: ${problemLine(problem)}`, "warning");
    },
  },
];

import type { FoundSkill, TextProblem } from "@cogency/skills/node";
import { isBelow } from "../../base/files/read-regular-file.ts";
import { findTexts, type Placed, type TextFinder, type TextProject, type TextSources } from "../texts/find-texts.ts";
import { ownTextFolder } from "../texts/text-folders.ts";

export interface Skills {
  /** Sorted by name. */
  readonly skills: readonly Placed<FoundSkill>[];
  readonly problems: readonly TextProblem[];
  /** The names of those that nobody has looked at since they were changed. */
  readonly unseen: readonly string[];
}

const finder: TextFinder<FoundSkill> = {
  kind: "skills",
  one: "skill",
  async read(folders, options) {
    const { readSkills } = await import("./skill-parts.ts");
    const { skills, problems } = await readSkills(folders, options);
    return { items: skills, problems };
  },
  placeOf: (file) => file.slice(0, -"/SKILL.md".length),
};

/** Shown where no skill counts. */
export function noSkills(): string {
  return `There are no skills here. To add one, write ${ownTextFolder("skills")}/<name>/SKILL.md.`;
}

/** Reads the skills that count in a folder; see `findTexts`. */
export async function findSkills(project: TextProject, sources: TextSources): Promise<Skills> {
  const { items, ...rest } = await findTexts(finder, project, sources);
  return { ...rest, skills: items.map((skill) => (skill.isOwn ? skill : ofTheProject(skill, sources))) };
}

/** Its files are files of the project: the file tools read them where they reach, by the rules of the root, and nothing else does. */
function ofTheProject(skill: Placed<FoundSkill>, { root }: TextSources): Placed<FoundSkill> {
  const { readFile: _, ...rest } = skill;
  return isBelow(root, skill.folder) ? rest : { ...rest, files: [] };
}

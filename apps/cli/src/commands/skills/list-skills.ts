import { oneLine } from "../../base/terminal/text.ts";
import { openProject } from "../../place/config/open-project.ts";
import { findSkills, noSkills } from "../../place/skills/find-skills.ts";
import { printList } from "../lists/print-list.ts";
import { skillsIn } from "./skills-in.ts";

export interface ListSkillsOptions {
  json?: true;
  folder?: string;
}

/** `cogency skills list` @throws UsageError for a folder that there is not */
export async function listSkills({ json, folder }: ListSkillsOptions): Promise<void> {
  const { skills, problems } = folder === undefined ? await skillsHere() : await placed(folder);
  await printList(skills, {
    json,
    object: ({ name, description, file }) => ({ name, description, path: file }),
    row: ({ name, place, description }) => [name, oneLine(place, 100), oneLine(description, 200)],
    none: folder === undefined ? noSkills() : "There are no skills there.",
    problems,
  });
}

async function skillsHere() {
  const project = await openProject(".");
  return findSkills(project, { root: project.top, isMarked: () => false, ofProject: true });
}

async function placed(folder: string) {
  const { items, problems } = await skillsIn(folder);
  return { skills: items.map((skill) => ({ ...skill, place: skill.folder })), problems };
}

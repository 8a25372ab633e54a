import { note } from "../../base/terminal/note.ts";
import { put, putLine } from "../../base/terminal/output.ts";
import { tableLines } from "../../base/terminal/table-lines.ts";
import { oneLine, widthOr } from "../../base/terminal/text.ts";
import { openProject } from "../../place/config/open-project.ts";
import { findSkills, noSkills } from "../../place/skills/find-skills.ts";
import { problemLine } from "../../place/texts/find-texts.ts";
import { skillsIn } from "./skills-in.ts";

export interface ListSkillsOptions {
  json?: true;
  folder?: string;
}

/** `cogency skills list` @throws UsageError for a folder that there is not */
export async function listSkills({ json, folder }: ListSkillsOptions): Promise<void> {
  const { skills, problems } = folder === undefined ? await skillsHere() : await placed(folder);
  if (json) await putLine(skills.map(({ name, description, file }) => ({ name, description, path: file })));
  else if (skills.length === 0) await put(`${folder === undefined ? noSkills() : "There are no skills there."}\n`);
  else {
    const rows = skills.map(({ name, place, description }) => [name, oneLine(place, 100), oneLine(description, 200)]);
    const lines = tableLines(rows, { columns: widthOr(process.stdout, Number.POSITIVE_INFINITY) });
    await put(lines.map((line) => `${line}\n`).join(""));
  }
  for (const problem of problems) note(`Left out: ${problemLine(problem)}`);
}

async function skillsHere() {
  const project = await openProject(".");
  return findSkills(project, { root: project.top, isMarked: () => false, ofProject: true });
}

async function placed(folder: string) {
  const { skills, problems } = await skillsIn(folder);
  return { skills: skills.map((skill) => ({ ...skill, place: skill.folder })), problems };
}

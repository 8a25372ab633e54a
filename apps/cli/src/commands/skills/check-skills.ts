import { existsSync } from "node:fs";
import { put } from "../../base/terminal/output.ts";
import { counted, visible } from "../../base/terminal/text.ts";
import { projectFiles } from "../../place/config/project.ts";
import { problemLine } from "../../place/texts/find-texts.ts";
import { ownTextFolder } from "../../place/texts/text-folders.ts";
import { skillsIn } from "./skills-in.ts";

/**
 * `cogency skills check`: every fault of the skills in folders, with its line and what to write instead.
 *
 * @param named the person's own folder and those of the project if empty
 * @returns the exit code: 1 if something is wrong, or if a folder that was named holds no skill
 * @throws UsageError for a folder that there is not
 */
export async function checkSkills(named: readonly string[]): Promise<number> {
  const usual = [ownTextFolder("skills"), ...projectFiles(".").textFolders.skills].filter((folder) =>
    existsSync(folder),
  );
  let [valid, wrong] = [0, 0];
  for (const folder of named.length > 0 ? named : usual) {
    const { skills, problems } = await skillsIn(folder);
    valid += skills.length;
    wrong += problems.length;
    for (const problem of problems) await put(`${visible(problemLine(problem))}\n`);
    if (skills.length > 0 || problems.length > 0 || named.length === 0) continue;
    wrong++;
    await put(`${visible(folder)}: There is no SKILL.md in this folder, and none in a folder below it.\n`);
  }
  await put(`${counted(valid, "valid skill")}, ${counted(wrong, "fault")}\n`);
  return wrong === 0 ? 0 : 1;
}

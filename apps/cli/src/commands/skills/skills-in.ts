import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { FoundSkill, TextProblem } from "@cogency/skills/node";
import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { kindFoldersIn } from "../../place/texts/text-folders.ts";

/** What a person named, which is read whether or not it is trusted: nothing of it is used. */
export interface SkillsIn {
  readonly skills: readonly FoundSkill[];
  readonly problems: readonly TextProblem[];
}

/**
 * The skills of a folder that a person names: the folder of one skill, a folder of several, or a project.
 *
 * @throws UsageError if there is no such folder
 */
export async function skillsIn(named: string): Promise<SkillsIn> {
  const { readSkill, readSkills } = await import("@cogency/skills/node");
  const path = resolve(named);
  const folder = basename(path) === "SKILL.md" ? dirname(path) : path;
  if (!existsSync(folder)) throw new UsageError(`There is no folder ${oneLine(named, 300)}.`);
  if (!existsSync(join(folder, "SKILL.md"))) return readSkills([folder, ...kindFoldersIn("skills", [folder])]);
  const { skill, problems } = await readSkill(folder);
  return { skills: skill ? [skill] : [], problems };
}

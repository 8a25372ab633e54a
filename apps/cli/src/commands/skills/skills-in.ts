import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { FoundSkill } from "@cogency/skills/node";
import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import type { ReadTexts } from "../../place/texts/find-texts.ts";
import { kindFoldersIn } from "../../place/texts/text-folders.ts";

/**
 * The skills of a folder that a person names: the folder of one skill, a folder of several, or a project. They are read whether or not
 * they are trusted: nothing of them is used.
 *
 * @throws UsageError if there is no such folder
 */
export async function skillsIn(named: string): Promise<ReadTexts<FoundSkill>> {
  const { readSkill, readSkills } = await import("@cogency/skills/node");
  const path = resolve(named);
  const folder = basename(path) === "SKILL.md" ? dirname(path) : path;
  if (!existsSync(folder)) throw new UsageError(`There is no folder ${oneLine(named, 300)}.`);
  if (!existsSync(join(folder, "SKILL.md"))) {
    const { skills, problems } = await readSkills([folder, ...kindFoldersIn("skills", [folder])]);
    return { items: skills, problems };
  }
  const { skill, problems } = await readSkill(folder);
  return { items: skill ? [skill] : [], problems };
}

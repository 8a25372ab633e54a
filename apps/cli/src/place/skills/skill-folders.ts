import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { configurationFolder } from "../../base/configuration-folder.ts";

/** Where a project keeps skills. The folders of other agents hold the same format. */
const names = [".cogency/skills", ".claude/skills", ".agents/skills"];

/** The person's own skills. */
export function ownSkillFolder(): string {
  return join(configurationFolder(), "skills");
}

/** The folders with skills that there are in folders of a project, in the same order. */
export function skillFoldersIn(folders: readonly string[]): string[] {
  return folders
    .flatMap((folder) => names.map((name) => join(folder, ...name.split("/"))))
    .filter((folder) => existsSync(folder));
}

/** Each file below a folder with skills that would be read as a skill. */
export function skillFilesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .sort()
      .map((name) => join(folder, name, "SKILL.md"))
      .filter((file) => existsSync(file));
  } catch {
    return [];
  }
}

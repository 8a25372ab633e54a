import { readdir, realpath } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { checkOption, checkOptions, listOf, required, text } from "@cogency/protocol/options";
import type { Content } from "@cogency/tools";
import { parseSkill } from "../parse-skill.ts";
import type { Skill, SkillProblem } from "../skill.ts";
import { filesBeside } from "./files-beside.ts";
import { readSmallFile, UnreadableFile } from "./read-small-file.ts";

export interface ReadSkillsOptions {
  /** A folder that no file may lie outside of, by its real path. Defaults to no limit: the folders are the person's own. */
  within?: string | undefined;
  /** What the texts bring into a conversation. Defaults to nothing. */
  holds?: readonly Content[] | undefined;
}

export interface FoundSkill extends Skill {
  /** The real path of its `SKILL.md`. */
  readonly file: string;
  readonly folder: string;
}

export interface FoundProblem extends SkillProblem {
  /** The path of the `SKILL.md`. */
  readonly file: string;
}

export interface FoundSkills {
  /** Sorted by name. */
  readonly skills: readonly FoundSkill[];
  readonly problems: readonly FoundProblem[];
}

/**
 * Reads the skills of folders: each folder below one of them that has a `SKILL.md` is a skill. Of two with one name that of the earlier
 * folder counts, and the other one is a problem. A folder that does not exist has none. Nothing in them is run.
 */
export async function readSkills(folders: readonly string[], options: ReadSkillsOptions = {}): Promise<FoundSkills> {
  checkOption("readSkills", "folders", folders, required(listOf(text, "an array of paths")));
  checkOptions<ReadSkillsOptions>("readSkills", options, {
    within: text,
    holds: { wanted: "an array", isOfType: Array.isArray },
  });
  const found: FoundSkill[] = [];
  const problems: FoundProblem[] = [];
  for (const folder of folders) {
    for (const name of await foldersIn(folder)) {
      const one = await readOne(join(folder, name), options);
      if (one === undefined) continue;
      problems.push(...one.problems);
      const { skill } = one;
      if (skill === undefined) continue;
      const first = found.find((other) => other.name === skill.name);
      if (first === undefined) found.push(skill);
      else problems.push({ code: "name_taken", file: skill.file, line: 1, message: taken(skill.name, first.file) });
    }
  }
  return { skills: found.sort((a, b) => (a.name < b.name ? -1 : 1)), problems };
}

/** Folders in one folder that are looked at. */
const mostFolders = 1000;

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink()).map(({ name }) => name);
  return names
    .filter((name) => !name.startsWith("."))
    .sort()
    .slice(0, mostFolders);
}

/** Undefined for a folder that is no skill. */
async function readOne(folder: string, { within, holds }: ReadSkillsOptions) {
  const file = join(folder, "SKILL.md");
  try {
    const real = await realpath(file);
    if (within !== undefined && !isBelow(real, await realpath(within))) {
      throw new UnreadableFile("file_unreadable", "It leads out of the project. Put the file itself there.");
    }
    const { skill, problems } = parseSkill(await readSmallFile(real), basename(folder));
    const place = real.slice(0, -"/SKILL.md".length);
    return {
      skill: skill && { ...skill, file: real, folder: place, files: await filesBeside(place), ...(holds && { holds }) },
      problems: problems.map((problem) => ({ ...problem, file })),
    };
  } catch (error) {
    if (error instanceof UnreadableFile) {
      return { problems: [{ code: error.code, file, line: 1, message: error.message }] };
    }
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    if (code === undefined) throw error;
    const message = `The file cannot be read: the system reported ${code}.`;
    return { problems: [{ code: "file_unreadable" as const, file, line: 1, message }] };
  }
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function taken(name: string, first: string): string {
  return `The skill ${name} is left out, because ${first} has this name and comes first. Rename one of the two.`;
}

import { readdirSync, realpathSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { checkOption, checkOptions, listOf, type OptionTable, required, text } from "@cogency/protocol/options";
import type { Content } from "@cogency/tools";
import { parseSkill } from "../parse-skill.ts";
import type { Skill, SkillProblem, SkillProblemCode } from "../skill.ts";
import { filesBeside, readFileBeside } from "./files-beside.ts";
import { isBelow } from "./is-below.ts";
import { readSmallFile, UnreadableFile } from "./read-small-file.ts";

export interface ReadSkillsOptions {
  /** A folder that no file may lie outside of, by its real path. Defaults to no limit: the folders are the person's own. */
  within?: string | undefined;
  /** What each text brings into a conversation, or a function that decides by the file. Defaults to nothing. */
  holds?: readonly Content[] | ((file: SkillFile) => readonly Content[]) | undefined;
}

/** A `SKILL.md` as it was read. */
export interface SkillFile {
  /** Its path below the folder that was given. */
  readonly file: string;
  /** Its real path. */
  readonly real: string;
  /** All of it, with the front matter. */
  readonly source: string;
}

export interface FoundSkill extends Skill {
  /** The path of its `SKILL.md`, below the folder that was given. */
  readonly file: string;
  /** The real path of its folder. */
  readonly folder: string;
  readonly files: readonly string[];
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
  checkOptions<ReadSkillsOptions>("readSkills", options, optionTable);
  const found = new Map<string, FoundSkill>();
  const problems: FoundProblem[] = [];
  const read = new Set<string>();
  for (const folder of folders) {
    for (const name of foldersIn(folder, problems)) {
      const one = readOne(join(folder, name), options, read);
      if (one === undefined) continue;
      problems.push(...one.problems);
      const { skill } = one;
      if (skill === undefined) continue;
      const first = found.get(skill.name);
      if (first === undefined) found.set(skill.name, skill);
      else problems.push({ code: "name_taken", file: skill.file, line: 1, message: taken(skill.name, first.file) });
    }
  }
  return { skills: [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), problems };
}

/**
 * Reads the skill of one folder, by the same rules. Without a `SKILL.md` there is the problem `file_missing`.
 */
export async function readSkill(
  folder: string,
  options: ReadSkillsOptions = {},
): Promise<{ readonly skill?: FoundSkill | undefined; readonly problems: readonly FoundProblem[] }> {
  checkOption("readSkill", "folder", folder, required(text));
  checkOptions<ReadSkillsOptions>("readSkill", options, optionTable);
  const missing = { code: "file_missing", file: join(folder, "SKILL.md"), line: 1, message: noFile } as const;
  return readOne(folder, options, new Set()) ?? { problems: [missing] };
}

const noFile = "There is no file of this name. Write one that begins with the front matter of a skill.";

const optionTable: OptionTable<ReadSkillsOptions> = {
  within: text,
  holds: { wanted: "an array or a function", isOfType: (value) => Array.isArray(value) || typeof value === "function" },
};

/** Folders in one folder that are looked at. */
const mostFolders = 1000;

function foldersIn(folder: string, problems: FoundProblem[]): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    const names = entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink()).map(({ name }) => name);
    const shown = names.filter((name) => !name.startsWith(".")).sort();
    if (shown.length > mostFolders) {
      const message = `The folder holds ${shown.length} folders. The first ${mostFolders} are read; move the others elsewhere.`;
      problems.push({ code: "file_unreadable", file: folder, line: 1, message });
    }
    return shown.slice(0, mostFolders);
  } catch (error) {
    const { code = "an error" } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "ENOTDIR") {
      const message = `The folder cannot be read: the system reported ${code}.`;
      problems.push({ code: "file_unreadable", file: folder, line: 1, message });
    }
    return [];
  }
}

/** Undefined for a folder that is no skill, and for a file that was read by another name. */
function readOne(folder: string, { within, holds }: ReadSkillsOptions, read: Set<string>) {
  const file = join(folder, "SKILL.md");
  const unreadable = (message: string, code: SkillProblemCode = "file_unreadable") => ({
    skill: undefined,
    problems: [{ code, file, line: 1, message }],
  });
  try {
    const [real, place] = [realpathSync.native(file), realpathSync.native(folder)];
    if (within !== undefined) {
      const limit = realpathSync.native(within);
      if (!isBelow(limit, real) || !isBelow(limit, place))
        return unreadable("It leads out of the project. Put the file itself there.");
    }
    if (read.has(real)) return undefined;
    read.add(real);
    const source = readSmallFile(real);
    const { skill, problems } = parseSkill(source, basename(resolve(folder)));
    if (skill === undefined) return { problems: problems.map((problem) => ({ ...problem, file })) };
    const held = typeof holds === "function" ? holds({ file, real, source }) : holds;
    const found: FoundSkill = {
      ...skill,
      file,
      folder: place,
      files: filesBeside(place),
      readFile: (path) => readFileBeside(place, path),
      ...(held && { holds: held }),
    };
    return { skill: found, problems: [] };
  } catch (error) {
    if (error instanceof UnreadableFile) {
      const advice = error.code === "file_too_large" ? " Move parts of it to files beside it." : "";
      return unreadable(`SKILL.md ${error.message}${advice}`, error.code);
    }
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    if (code === undefined) throw error;
    return unreadable(`The file cannot be read: the system reported ${code}.`);
  }
}

function taken(name: string, first: string): string {
  return `The skill ${name} is left out, because ${first} has this name and comes first. Rename one of the two.`;
}

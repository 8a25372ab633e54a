import { readdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { checkOption, checkOptions, listOf, required, text } from "@cogency/protocol/options";
import { parseSkill } from "../parse-skill.ts";
import type { Skill } from "../skill.ts";
import { filesBeside, readFileBeside } from "./files-beside.ts";
import { type ReadTextsOptions, readOne, readTexts, readTextsTable, type TextFormat } from "./read-texts.ts";
import type { TextProblem } from "./text-problem.ts";

export interface FoundSkill extends Skill {
  /** The path of its `SKILL.md`, below the folder that was given. */
  readonly file: string;
  /** The real path of its folder. */
  readonly folder: string;
  readonly files: readonly string[];
}

export interface FoundSkills {
  /** Sorted by name. */
  readonly skills: readonly FoundSkill[];
  readonly problems: readonly TextProblem[];
}

/**
 * Reads the skills of folders: each folder below one of them that has a `SKILL.md` is a skill. Of two with one name that of the earlier
 * folder counts, and the other one is a problem. A folder that does not exist has none. Nothing in them is run.
 */
export async function readSkills(folders: readonly string[], options: ReadTextsOptions = {}): Promise<FoundSkills> {
  checkOption("readSkills", "folders", folders, required(listOf(text, "an array of paths")));
  checkOptions<ReadTextsOptions>("readSkills", options, readTextsTable);
  const unread: TextProblem[] = [];
  const files = folders.flatMap((folder) => foldersIn(folder, unread).map((name) => join(folder, name, "SKILL.md")));
  const { items, problems } = readTexts(files, skillFormat, options);
  return { skills: items, problems: [...unread, ...problems] };
}

/**
 * Reads the skill of one folder, by the same rules. Without a `SKILL.md` there is the problem `file_missing`.
 */
export async function readSkill(
  folder: string,
  options: ReadTextsOptions = {},
): Promise<{ readonly skill?: FoundSkill | undefined; readonly problems: readonly TextProblem[] }> {
  checkOption("readSkill", "folder", folder, required(text));
  checkOptions<ReadTextsOptions>("readSkill", options, readTextsTable);
  const file = join(folder, "SKILL.md");
  const { item, problems } = readOne(file, skillFormat, options, new Set()) ?? {
    problems: [{ code: "file_missing" as const, line: 1, message: noFile }],
  };
  return { skill: item, problems: problems.map((problem) => ({ ...problem, file })) };
}

const noFile = "There is no file of this name. Write one that begins with the front matter of a skill.";

const skillFormat: TextFormat<FoundSkill> = {
  kind: "skill",
  parse({ file, source }, folder, holds) {
    const { skill, problems } = parseSkill(source, basename(resolve(dirname(file))));
    if (skill === undefined) return { problems };
    const readFile = (path: string) => readFileBeside(folder, path);
    return {
      item: { ...skill, file, folder, files: filesBeside(folder), readFile, ...(holds && { holds }) },
      problems,
    };
  },
};

/** Folders in one folder that are looked at. */
const mostFolders = 1000;

function foldersIn(folder: string, problems: TextProblem[]): string[] {
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

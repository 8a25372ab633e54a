import { readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { isBelow } from "./is-below.ts";
import { readSmallFile, UnreadableFile } from "./read-small-file.ts";

export interface ReadTextFilesOptions {
  /** How the names of the files end, such as `.md`. */
  readonly ending: string;
  /** A folder that no file may lie outside of, by its real path. Defaults to no limit: the folders are the person's own. */
  readonly within?: string | undefined;
}

/** A file as it was read. */
export interface TextFile {
  /** Its path below the folder that was given. */
  readonly file: string;
  /** Its real path. */
  readonly real: string;
  readonly source: string;
}

export interface TextFileProblem {
  readonly code: "file_too_large" | "file_unreadable";
  /** The path of the file or folder. */
  readonly file: string;
  readonly line: 1;
  readonly message: string;
}

/** Files in one folder that are read. */
const mostFiles = 1000;

/**
 * Reads the files of folders whose names end so, in the order of the folders and of their names; none of the folders below. A file is
 * read once, a folder that does not exist has none, and a link that leads out of `within` is a problem.
 */
export function readTextFiles(
  folders: readonly string[],
  options: ReadTextFilesOptions,
): { readonly files: readonly TextFile[]; readonly problems: readonly TextFileProblem[] } {
  const files: TextFile[] = [];
  const problems: TextFileProblem[] = [];
  const read = new Set<string>();
  const unreadable = (file: string, message: string, code: TextFileProblem["code"] = "file_unreadable") =>
    void problems.push({ code, file, line: 1, message });
  for (const folder of folders) {
    for (const name of namesIn(folder, options.ending, (message) => unreadable(folder, message))) {
      const file = join(folder, name);
      try {
        const real = realOf(file, folder, options.within);
        if (real === undefined) unreadable(file, "It leads out of the project. Put the file itself there.");
        else if (!read.has(real)) files.push({ file, real, source: readSmallFile(real) });
        if (real !== undefined) read.add(real);
      } catch (error) {
        if (error instanceof UnreadableFile)
          unreadable(file, `The file ${error.message}`, error.code === "file_too_large" ? error.code : undefined);
        else ifOfSystem(error, (code) => unreadable(file, `The file cannot be read: the system reported ${code}.`));
      }
    }
  }
  return { files, problems };
}

function namesIn(folder: string, ending: string, complain: (message: string) => void): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    const names = entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
    const fitting = names.filter((name) => name.endsWith(ending) && !name.startsWith(".")).sort();
    if (fitting.length > mostFiles)
      complain(
        `The folder holds ${fitting.length} such files. The first ${mostFiles} are read; move the others elsewhere.`,
      );
    return fitting.slice(0, mostFiles);
  } catch (error) {
    ifOfSystem(error, (code) => complain(`The folder cannot be read: the system reported ${code}.`));
    return [];
  }
}

/** Undefined if it leads out. */
function realOf(file: string, folder: string, within: string | undefined): string | undefined {
  const [real, place] = [realpathSync.native(file), realpathSync.native(folder)];
  if (within === undefined) return real;
  const limit = realpathSync.native(within);
  return isBelow(limit, real) && isBelow(limit, place) ? real : undefined;
}

/** What is not there meanwhile is no problem. */
function ifOfSystem(error: unknown, use: (code: string) => void): void {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  if (code !== "ENOENT" && code !== "ENOTDIR") use(code);
}

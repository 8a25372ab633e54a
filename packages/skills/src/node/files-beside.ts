import { type Dirent, readdirSync, realpathSync } from "node:fs";
import { isAbsolute, join, normalize } from "node:path";
import { SkillError } from "../errors.ts";
import { isBelow } from "./is-below.ts";
import { readSmallFile, UnreadableFile } from "./read-small-file.ts";

/** The files of a skill that its list names. The file tools find the rest. */
const most = 100;
const deepest = 4;
/** Folders that are looked into. */
const mostFolders = 200;

/** The files in a folder of a skill besides its `SKILL.md`, relative to it, sorted. Hidden ones and links are left out. */
export function filesBeside(folder: string): string[] {
  const files: string[] = [];
  let folders = 0;
  const walk = (below: string, depth: number): void => {
    if (folders++ >= mostFolders) return;
    for (const entry of entriesIn(join(folder, below))) {
      if (files.length >= most) return;
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      if (entry.name.startsWith(".") || path === "SKILL.md") continue;
      if (entry.isDirectory() && depth < deepest) walk(path, depth + 1);
      else if (entry.isFile()) files.push(path);
    }
  };
  walk("", 1);
  return files.sort();
}

function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

/**
 * The text of one file in a folder of a skill. No path and no link leads out of the folder.
 *
 * @param folder its real path
 * @throws SkillError `file_unreadable`, with what the model may do instead
 */
export async function readFileBeside(folder: string, path: string): Promise<string> {
  const refused = (why: string) => new SkillError("file_unreadable", `${JSON.stringify(path.slice(0, 200))} ${why}`);
  // Without a look at the file, so that nothing is learned of what there is outside.
  if (/^\.\.(?:[\\/]|$)/.test(normalize(path))) throw refused("leads out of the folder of the skill.");
  if (isAbsolute(path) || path.includes("\0")) throw refused("is not read: give a path relative to the skill.");
  try {
    const real = realpathSync.native(join(folder, path));
    if (!isBelow(folder, real)) throw refused("leads out of the folder of the skill.");
    const text = readSmallFile(real);
    if (text.includes("\0")) throw refused("is no text.");
    return text;
  } catch (error) {
    if (error instanceof SkillError) throw error;
    if (error instanceof UnreadableFile) throw refused(error.message);
    const { code = "an error" } = error as NodeJS.ErrnoException;
    throw refused(code === "ENOENT" || code === "ENOTDIR" ? "does not exist." : `cannot be read: ${code}.`);
  }
}

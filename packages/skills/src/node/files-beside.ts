import { readdir, realpath } from "node:fs/promises";
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
export async function filesBeside(folder: string): Promise<string[]> {
  const files: string[] = [];
  let folders = 0;
  const walk = async (below: string, depth: number): Promise<void> => {
    if (folders++ >= mostFolders) return;
    const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(() => []);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (files.length >= most) return;
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      if (entry.name.startsWith(".") || path === "SKILL.md") continue;
      if (entry.isDirectory() && depth < deepest) await walk(path, depth + 1);
      else if (entry.isFile()) files.push(path);
    }
  };
  await walk("", 1);
  return files.sort();
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
    const real = await realpath(join(folder, path));
    if (!isBelow(folder, real)) throw refused("leads out of the folder of the skill.");
    const text = await readSmallFile(real);
    if (text.includes("\0")) throw refused("is no text.");
    return text;
  } catch (error) {
    if (error instanceof SkillError) throw error;
    if (error instanceof UnreadableFile) throw refused(error.message);
    const { code = "an error" } = error as NodeJS.ErrnoException;
    throw refused(code === "ENOENT" || code === "ENOTDIR" ? "does not exist." : `cannot be read: ${code}.`);
  }
}

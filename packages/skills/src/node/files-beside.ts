import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** The files of a skill that its list names. The file tools find the rest. */
const most = 100;
const deepest = 4;

/** The files in a folder of a skill besides its `SKILL.md`, relative to it, sorted. Hidden ones and links are left out. */
export async function filesBeside(folder: string): Promise<string[]> {
  const files: string[] = [];
  const walk = async (below: string, depth: number): Promise<void> => {
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

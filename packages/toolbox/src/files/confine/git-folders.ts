import { readdir, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isGit, namedGitFolders } from "./git-folder.ts";
import type { Root } from "./root.ts";

/**
 * Returns the folders that a program started by a tool must not change, because git would run what it wrote there: each `.git`
 * above and below the root's base, the folders that it leads to, and folders below that look like repositories. It searches at
 * most 20,000 folders below the base, without `node_modules` and without following links. Each path is real and exists.
 */
export async function gitFolders(root: Pick<Root, "base">): Promise<string[]> {
  const found = new Set<string>();
  const add = async (path: string) => {
    const real = await realpath(path).catch(() => undefined);
    if (real !== undefined) found.add(real);
  };
  const addNamed = async (folder: string) => {
    for (const git of await namedGitFolders(folder)) await add(git);
  };
  for (let folder = dirname(root.base), inner = root.base; folder !== inner; inner = folder, folder = dirname(folder)) {
    await add(join(folder, ".git"));
    await addNamed(folder);
  }
  const open = [root.base];
  for (let looked = 0; looked < mostFolders; looked += 1) {
    const folder = open.shift();
    if (folder === undefined) break;
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const names = new Set(entries.map(({ name }) => name));
    if (looksLikeRepository(names)) {
      await add(folder);
      continue;
    }
    if (names.has(".git")) await addNamed(folder);
    for (const entry of entries) {
      if (isGit(entry.name)) await add(join(folder, entry.name));
      else if (entry.isDirectory() && entry.name !== "node_modules") open.push(join(folder, entry.name));
    }
  }
  return [...found].sort();
}

const mostFolders = 20_000;

/** By the names of its entries. */
export function looksLikeRepository(names: ReadonlySet<string>): boolean {
  if (names.has("objects") && names.has("refs")) return names.has("HEAD") || names.has("config");
  return names.has("commondir") && names.has("HEAD");
}

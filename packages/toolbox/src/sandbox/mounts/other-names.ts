import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { identityOf } from "../../files/guard/reach.ts";

/**
 * Finds the hard links of guarded files in a folder.
 *
 * @throws Error if there are too many files to check
 */
export async function otherNames(guarded: readonly string[], folder: string): Promise<string[]> {
  const linked = new Map<string, string>();
  let left = 0;
  await walk(guarded, async (path) => {
    const stats = await lstat(path, { bigint: true }).catch(() => undefined);
    if (!stats?.isFile() || stats.nlink < 2n || linked.has(identityOf(stats))) return false;
    linked.set(identityOf(stats), path);
    left += Number(stats.nlink);
    return false;
  });
  const found: string[] = [];
  if (linked.size === 0) return found;
  await walk([folder], async (path) => {
    const stats = await lstat(path, { bigint: true }).catch(() => undefined);
    if (!stats || !linked.has(identityOf(stats))) return false;
    found.push(path);
    return --left === 0;
  });
  return found;
}

/** @param visit returns true to stop the walk */
async function walk(places: readonly string[], visit: (path: string) => Promise<boolean>): Promise<void> {
  const open = [...places];
  for (let seen = 0; open.length > 0; seen++) {
    const path = open.pop() ?? "";
    if (seen > mostFiles)
      throw new Error(
        `guarded files have hard links, and there are too many files to find them all: the search stopped at "${path}"`,
      );
    const entries = await readdir(path, { withFileTypes: true }).catch(() => undefined);
    if (entries === undefined && (await visit(path))) return;
    for (const entry of entries ?? []) {
      const below = join(path, entry.name);
      if (entry.isDirectory()) open.push(below);
      else if (entry.isFile() && (await visit(below))) return;
    }
  }
}

const mostFiles = 20_000;

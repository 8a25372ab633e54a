import { lstatSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readRegularText } from "../base/files/read-regular-file.ts";

/**
 * The branch that is checked out in the repository of a folder, or the beginning of the commit's name where none is; undefined outside
 * of a repository. Runs no program: the folder may be anybody's, and what it holds is read as text of at most a few kB.
 */
export function gitBranch(folder: string): string | undefined {
  try {
    const head = headFile(resolve(folder));
    const text = head === undefined ? undefined : readRegularText(head, limits);
    const [, branch, commit] = /^(?:ref: refs\/heads\/(.+)|([0-9a-f]{40,64}))\s*$/.exec(text ?? "") ?? [];
    return branch ?? commit?.slice(0, 8);
  } catch {
    return undefined;
  }
}

const limits = { most: 4096, cuts: true } as const;

/** Of the folder or of the nearest one above it that is the top of a repository. */
function headFile(folder: string): string | undefined {
  const git = join(folder, ".git");
  const stats = lstatSync(git, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return join(git, "HEAD");
  if (stats?.isFile()) {
    // The repository of a worktree or of a submodule is elsewhere.
    const [, elsewhere] = /^gitdir: (.+?)\s*$/.exec(readRegularText(git, limits) ?? "") ?? [];
    return elsewhere === undefined ? undefined : join(resolve(folder, elsewhere), "HEAD");
  }
  const above = dirname(folder);
  return above === folder ? undefined : headFile(above);
}

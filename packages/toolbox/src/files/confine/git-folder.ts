import { lstat, readFile, realpath, stat } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { ToolboxError } from "../../errors.ts";
import { ignoredByHfs } from "../guard/reach.ts";
import type { ConfinedPath } from "./confined-path.ts";
import { isInside, type Root } from "./root.ts";

/** Whether any file system may read the name as `.git`. */
export function isGit(name: string): boolean {
  return gitName.test(name.replace(ignoredByHfs, ""));
}

/**
 * Refuses to change files that git takes its settings and hooks from, because they name programs that git runs. These are
 * `.git` in any spelling; the folders that a `.git` above the path leads to, by a link, by `gitdir:` and by `commondir`; and a
 * folder that looks like a repository, or would with this file in it. It does not run git, which would obey these settings.
 *
 * @throws ToolboxError `permission_denied`
 */
export async function refuseGitFolder(
  root: Root,
  { real, asked }: Pick<ConfinedPath, "real" | "asked">,
): Promise<void> {
  if (relative(root.path, real).split(sep).some(isGit)) throw inGitFolder(asked);
  const commonAbove = new Set<string>();
  for (let folder = real, inner = real; ; inner = folder, folder = dirname(folder)) {
    const named = await namedGitFolders(folder);
    // A work tree may be inside its own repository. git does not read settings from it, so its `.git` does not protect the
    // folder around it. A root inside a repository is the host's choice.
    if (named.some((git) => isInside(git, real) && !isInside(git, folder) && isInside(root.path, git))) {
      throw inGitFolder(asked);
    }
    const isWorkTreeOf = commonAbove.has(folder);
    if (!isWorkTreeOf && isInside(root.path, folder) && (await isRepository(folder, inner, inner === real))) {
      throw inGitFolder(asked);
    }
    for (const git of named) commonAbove.add(git);
    if (folder === dirname(folder)) return;
  }
}

/**
 * Returns the real paths of the folders that the `.git` in a folder leads to: the repository and, for a linked work tree, the
 * repository whose settings it shares. Empty if there is no `.git`. The folders may not exist.
 */
export async function namedGitFolders(folder: string): Promise<string[]> {
  const place = join(folder, ".git");
  const stats = await stat(place).catch(() => undefined);
  if (stats === undefined) return [];
  const git = stats.isDirectory() ? await realOrSame(place) : await gitDirIn(place);
  if (git === undefined) return [];
  const common = await firstLine(join(git, "commondir"));
  return common ? [git, await realOrSame(resolve(git, common))] : [git];
}

/** Whether git would recognise the folder as a repository once `made` exists in it. */
async function isRepository(folder: string, made: string, isFile: boolean): Promise<boolean> {
  const has = async (name: string, kind: "file" | "folder") => {
    const path = join(folder, name);
    if (made.toLowerCase() === path.toLowerCase()) return isFile === (kind === "file") || exists(path);
    return kind === "folder" ? exists(path) : isFileThere(path);
  };
  if ((await has("objects", "folder")) && (await has("refs", "folder"))) {
    return (await has("HEAD", "file")) || has("config", "file");
  }
  return (await has("commondir", "file")) && has("HEAD", "file");
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

async function isFileThere(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => !stats.isDirectory(),
    () => false,
  );
}

async function gitDirIn(file: string): Promise<string | undefined> {
  const line = await firstLine(file);
  const path = line?.match(/^gitdir:\s*(.+)$/)?.[1];
  return path === undefined ? undefined : realOrSame(resolve(dirname(await realOrSame(file)), path));
}

async function firstLine(file: string): Promise<string | undefined> {
  const stats = await stat(file).catch(() => undefined);
  if (!stats?.isFile() || stats.size > mostBytes) return undefined;
  const text = await readFile(file, "utf8").catch(() => undefined);
  return text?.split("\n")[0]?.trimEnd();
}

const mostBytes = 64 * 1024;

async function realOrSame(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

function inGitFolder(asked: string): ToolboxError {
  const reason = "whose settings and hooks make git run programs";
  const message = `"${asked}" is in a folder of git, ${reason}: it can be read but not changed.`;
  return new ToolboxError("permission_denied", asked, message);
}

// NTFS ignores spaces and dots at the end, and accepts short names and names of streams.
const gitName = /^(?:\.git|git~\d)[ .]*(?::.*)?$/i;

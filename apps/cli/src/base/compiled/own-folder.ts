import { lstatSync, mkdirSync, readlinkSync, type Stats } from "node:fs";
import { join, parse, resolve, sep } from "node:path";

/**
 * Opens a folder that this user alone can change, and makes what is missing of it.
 *
 * The owner of a folder, and every user who can write in it, can replace what is in it. So every folder on the way to `above`
 * must belong to root or to the user, and others may not write in it, unless it is sticky, as /tmp is: there, users can replace only
 * what is theirs. Links on this way are followed, each from a folder that was checked. The folders in `names`, each inside
 * the one before and the first in `above`, must belong to the user, and none of them may be a link.
 *
 * @param above an absolute path
 * @returns its real path; undefined if others could change it, or if it cannot be made
 */
export function ownFolder(above: string, names: readonly string[]): string | undefined {
  try {
    return names.reduce(ownFolderIn, safeFolder(above));
  } catch {
    return undefined;
  }
}

/** Whether a file or folder, not a link, belongs to the user, and others cannot write to it. Windows has no such modes. */
export function isOwn({ uid, mode }: Pick<Stats, "uid" | "mode">): boolean {
  return process.getuid === undefined || (uid === process.getuid() && (mode & writableByOthers) === 0);
}

const writableByOthers = 0o022;
/** In a folder with this mode, only the owner of a file can move or remove it. */
const sticky = 0o1000;
const mostLinks = 40;

function ownFolderIn(folder: string, name: string): string {
  const path = join(folder, name);
  const stats = madeFolder(path);
  if (!stats.isDirectory() || !isOwn(stats)) throw new Error(`${path} is not the user's own folder`);
  return path;
}

/** @returns the real path */
function safeFolder(path: string, links = 0): string {
  const { root } = parse(path);
  const names = resolve(path).slice(root.length).split(sep).filter(Boolean);
  if (!isSafe(lstatSync(root))) throw new Error(`others can replace what is in ${root}`);
  let folder = root;
  for (const [at, name] of names.entries()) {
    const next = join(folder, name);
    const stats = madeFolder(next);
    if (!isSafe(stats)) throw new Error(`others can replace what is in ${next}`);
    if (stats.isSymbolicLink()) {
      if (links === mostLinks) throw new Error(`too many links on the way to ${path}`);
      return safeFolder(resolve(folder, readlinkSync(next), ...names.slice(at + 1)), links + 1);
    }
    if (!stats.isDirectory()) throw new Error(`${next} is not a folder`);
    folder = next;
  }
  return folder;
}

function isSafe(stats: Stats): boolean {
  if (process.getuid === undefined) return true;
  const isTrusted = stats.uid === 0 || stats.uid === process.getuid();
  // The mode of a link means nothing.
  const isClosed = stats.isSymbolicLink() || (stats.mode & writableByOthers) === 0 || (stats.mode & sticky) !== 0;
  return isTrusted && isClosed;
}

/** What is at the path: if nothing is, a new folder. Node's recursive way to make one never ends in /proc. */
function madeFolder(path: string): Stats {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found) return found;
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process has made it in the meantime.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return lstatSync(path);
}

import { lstat, realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Why a file must not be run as a part of this process; undefined if nothing speaks against it. It, every folder that
 * leads to it, and every link on the way must belong to the user, to root, or to the owner of this program, and nobody
 * else may be able to put another one in its place.
 */
export async function distrustOf(file: string): Promise<string | undefined> {
  if (process.getuid === undefined) return undefined;
  const own = await stat(fileURLToPath(import.meta.url));
  const owners = new Set([process.getuid(), 0, own.uid]);
  const places = new Set([...above(await realpath(file)), ...above(file)]);
  for (const place of places) {
    const { mode, uid } = await lstat(place);
    if (!owners.has(uid)) return `${place} belongs to another user (${uid})`;
    // In a folder with the sticky bit, such as /tmp, only its owner can replace an entry. The mode of a link says nothing.
    const isSticky = (mode & directoryAndSticky) === directoryAndSticky;
    if ((mode & worldWritable) !== 0 && !isSticky && !isLink(mode)) return `every user may write to ${place}`;
  }
  return undefined;
}

function above(path: string): string[] {
  const folder = dirname(path);
  return folder === path ? [path] : [path, ...above(folder)];
}

function isLink(mode: number): boolean {
  return (mode & 0o170000) === 0o120000;
}

const worldWritable = 0o002;
const directoryAndSticky = 0o041000;

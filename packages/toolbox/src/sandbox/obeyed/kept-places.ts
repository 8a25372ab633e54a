import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { chmod, type FileHandle, lstat, open, readlink, rename, symlink } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { isHarmlessPointer, isHarmlessRepository } from "../git/harmless-repository.ts";
import { type Grounds, type Places, walkPlaces } from "./walk-places.ts";

/**
 * What programs outside the sandbox obey in a root, as it was before a command. A mount cannot keep a command from making a
 * file of a certain name in any folder. So what it made is set aside when it has ended.
 */
export interface KeptPlaces extends Grounds {
  /** By path. What is not in it and is found later was made by a command. */
  readonly known: Record<string, Known>;
  readonly unreadable: readonly string[];
  readonly isCut: boolean;
  /** In milliseconds. */
  readonly time: number;
}

/** Without a stamp a mount holds it in place, so that no command has changed it. */
interface Known {
  readonly stamp?: string;
  /** The target of a link, which a mount does not hold in place. */
  readonly link?: string;
}

/** What a command made and the program took out of the way. */
export interface SetAside {
  readonly path: string;
  /** Its new path; undefined if the system refused to rename it. */
  readonly now: string | undefined;
}

/**
 * @param places what stands in the root
 * @param held what a mount holds in place, and what no running command could have made
 */
export async function keptPlaces(
  grounds: Grounds,
  places: Places,
  held: { mounted: ReadonlySet<string>; isPinned: (path: string) => Promise<boolean> },
): Promise<KeptPlaces> {
  const known: Record<string, Known> = {};
  for (const path of [...places.pointers, ...places.bare, ...places.named]) {
    const stats = await lstat(path).catch(() => undefined);
    const link = stats?.isSymbolicLink() ? await readlink(path).catch(() => undefined) : undefined;
    if (link === undefined && !(await held.isPinned(path))) continue;
    known[path] =
      held.mounted.has(path) && link === undefined ? {} : { stamp: await stampAt(path), ...(link && { link }) };
  }
  const { unreadable, isCut } = places;
  return { ...grounds, known, unreadable, isCut, time: Date.now() };
}

/**
 * Looks for what a command has made, and renames it: nothing obeys it by its new name. A repository whose settings and hooks
 * run no program stays. A link that was there before is made again.
 *
 * @param doubtful while the command runs: the repositories that it may not have completed yet, which the next look renames if they are
 * as bad then
 */
export async function setAsideMade(kept: KeptPlaces, doubtful?: Set<string>): Promise<SetAside[]> {
  const { base, top, known } = kept;
  const places = await walkPlaces(kept, new Set(kept.unreadable));
  const isCut = kept.isCut || places.isCut;
  const isMade = async (path: string) => {
    const before = known[path];
    if (before !== undefined) return before.stamp !== undefined && before.stamp !== (await stampAt(path));
    // A walk that left folders out may find others than the walk before.
    return !isCut || ((await lstat(path).catch(() => undefined))?.ctimeMs ?? 0) >= kept.time - clockTick;
  };
  const wasThere = (folder: string) => known[folder] !== undefined;
  const made: string[] = [];
  const repositories: string[] = [];
  for (const path of places.named) if (await isMade(path)) made.push(path);
  for (const path of places.pointers) {
    if ((await isMade(path)) && !(await isHarmlessPointer(path, top, wasThere))) repositories.push(path);
  }
  for (const folder of places.bare) {
    // Without its HEAD it is no repository.
    if ((await isMade(folder)) && !(await isHarmlessRepository(folder, top))) repositories.push(join(folder, "HEAD"));
  }
  made.push(...repositories.filter((path) => doubtful?.has(path) !== false));
  doubtful?.clear();
  for (const path of repositories) doubtful?.add(path);
  const moved: SetAside[] = [];
  for (const path of made) {
    const link = known[path]?.link;
    moved.push({ path, now: await setAside(path, link, base, top) });
    // The link that was made again is not what the command made.
    if (link !== undefined) known[path] = { stamp: await stampAt(path), link };
  }
  return moved;
}

/** Milliseconds: file systems stamp changes with the time of the kernel's last tick. */
const clockTick = 20;

/** Renames an entry through its open folder, so that no swapped link leads to another file. */
async function setAside(
  path: string,
  link: string | undefined,
  base: string,
  top: string,
): Promise<string | undefined> {
  const folder = await openFolder(path.startsWith(base + sep) ? base : top, dirname(path)).catch(() => undefined);
  if (folder === undefined) return undefined;
  try {
    const at = (name: string) => `/proc/self/fd/${folder.fd}/${name}`;
    const name = basename(path);
    const free = await freeName(name, at);
    await rename(at(name), at(free)).catch(async () => {
      // The command may have closed the folder.
      await chmod(at("."), 0o700);
      await rename(at(name), at(free));
    });
    if (link !== undefined) await symlink(link, at(name)).catch(() => {});
    return join(dirname(path), free);
  } catch {
    return undefined;
  } finally {
    await folder.close();
  }
}

async function freeName(name: string, at: (name: string) => string): Promise<string> {
  for (let number = 1; number <= mostNumbered; number++) {
    const free = `${name}.set-aside${number === 1 ? "" : `-${number}`}`;
    if ((await lstat(at(free)).catch(() => undefined)) === undefined) return free;
  }
  return `${name}.set-aside-${randomUUID()}`;
}

const mostNumbered = 20;

/** Opens one folder after another without following links. The caller closes it. */
async function openFolder(from: string, path: string): Promise<FileHandle> {
  let folder = await open(from, folderFlags);
  for (const name of relative(from, path).split(sep)) {
    if (name === "") continue;
    const inner = open(`/proc/self/fd/${folder.fd}/${name}`, folderFlags);
    folder = await inner.finally(folder.close.bind(folder));
  }
  return folder;
}

const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** A program cannot give a file the stamp of another one, nor its own stamp of before. */
async function stampAt(path: string): Promise<string> {
  const stats = await lstat(path, { bigint: true }).catch(() => undefined);
  return stats === undefined ? "gone" : `${stats.dev}:${stats.ino}:${stats.ctimeNs}`;
}

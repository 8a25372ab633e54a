import { lstat, rename } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { ToolboxError } from "../errors.ts";
import { type ConfinedFolder, withFolder } from "../files/confine/confined-folder.ts";
import { pathInRoot, type Root } from "../files/confine/root.ts";
import { unlessRefused } from "../files/confine/unless-refused.ts";
import type { Reach } from "../files/guard/reach.ts";
import { createFile, linkOrCopy } from "../files/write/create-file.ts";
import { isTemporaryName, modeOf, removeStaged, stageFile, temporaryName } from "../files/write/staged-file.ts";
import { errorCode, onPath } from "../system-error.ts";
import { changedMeanwhile, checkState, type FileState, isSame, type Restored } from "./file-state.ts";

/** A file, a link or a folder, what it is now, and what it is to be. */
export interface Restoration {
  /** The real path. */
  real: string;
  now: FileState;
  target: Restored;
  /** The bytes of a file that is the target. */
  bytes: Uint8Array;
}

/**
 * Restores a file, link or folder in one step: it is the old one or the new one. A folder in the place of a file is removed first,
 * and a file in the place of a folder. It works through open folders and follows no link. A file that another process changes
 * meanwhile keeps that change, except within the last microseconds before a rename.
 *
 * @param reach what no tool may reach, as of the start of an undo
 * @throws ToolboxError `path_changed` if the file is not as it is expected to be, or a folder to remove is not empty; what opening
 *   its folder throws
 */
export async function restoreFile(root: Root, { real, now, target, bytes }: Restoration, reach?: Reach): Promise<void> {
  const name = basename(real);
  await onPath(pathInRoot(root, real), () =>
    withFolder(
      root,
      dirname(real),
      async (folder) => {
        if (target.kind === "missing") return remove(folder, name, now);
        if (!isSame(now, target)) {
          if (now.kind === "missing") await create(folder, name, target, bytes);
          else await replace(folder, name, now, target, bytes);
        }
        if (target.kind !== "link" && now.kind === target.kind && now.mode !== target.mode) {
          await checkState(folder, name, target);
          await folder.setMode(name, target.mode);
        }
      },
      { create: target.kind !== "missing" && now.kind === "missing", reach },
    ),
  );
}

/** Removes folders, the innermost first, unless they are no longer empty. */
export async function removeFolders(root: Root, folders: readonly string[]): Promise<void> {
  for (const path of folders.toSorted((a, b) => b.length - a.length)) {
    await unlessRefused(withFolder(root, dirname(path), (folder) => folder.removeFolder(basename(path))));
  }
}

const neverAborted = new AbortController().signal;

async function create(folder: ConfinedFolder, name: string, target: Restored, bytes: Uint8Array): Promise<void> {
  const isCreated =
    target.kind === "file"
      ? await createFile(folder, name, bytes, neverAborted, target.mode)
      : target.kind === "link"
        ? await folder.createLink(name, target.target)
        : target.kind === "folder" && (await createFolder(folder, name, target.mode));
  if (!isCreated) throw changedMeanwhile(folder.shown(name));
}

/** Another file of the undo may have needed it already. */
async function createFolder(folder: ConfinedFolder, name: string, mode: number): Promise<boolean> {
  await folder.createFolder(name);
  await folder.setMode(name, mode);
  return true;
}

async function replace(
  folder: ConfinedFolder,
  name: string,
  now: FileState,
  target: Restored,
  bytes: Uint8Array,
): Promise<void> {
  if (now.kind === "folder" || target.kind === "folder") {
    await remove(folder, name, now);
    return create(folder, name, target, bytes);
  }
  const temporary = await staged(folder, name, now, target, bytes);
  const old = temporaryName();
  try {
    // The second name shows whether a program that holds the file open writes to it while it is replaced.
    await linkOrCopy(folder.at(name), folder.at(old));
    await checkState(folder, old, now);
    const ours = await lstat(folder.at(temporary));
    const at = await folder.target(name);
    await checkState(folder, name, now);
    await rename(folder.at(temporary), at);
    await checkState(folder, old, now).catch(async (error: unknown) => {
      if ((await lstat(folder.at(name))).ino === ours.ino) await rename(folder.at(old), folder.at(name));
      throw error;
    });
  } finally {
    await removeStaged(folder, temporary);
    await removeStaged(folder, old);
  }
}

/** The new file or link under another name. A file keeps the mode of the one that it replaces. */
async function staged(
  folder: ConfinedFolder,
  name: string,
  now: FileState,
  target: Restored,
  bytes: Uint8Array,
): Promise<string> {
  if (target.kind !== "link") {
    const mode = target.kind === "file" && now.kind !== "file" ? target.mode : await modeOf(folder, name);
    return stageFile(folder, bytes, mode);
  }
  const temporary = temporaryName();
  if (!(await folder.createLink(temporary, target.target))) throw changedMeanwhile(folder.shown(name));
  return temporary;
}

/** Moves the file away, looks at what was moved, and puts it back if it is another one. A folder has to be empty. */
async function remove(folder: ConfinedFolder, name: string, now: FileState): Promise<void> {
  const target = await folder.target(name);
  await checkState(folder, name, now);
  if (now.kind === "folder") {
    if ((await folder.removeFolder(name)) || (await removeLeftovers(folder, name))) return;
    throw notEmpty(folder.shown(name));
  }
  const old = temporaryName();
  await rename(target, folder.at(old));
  try {
    await checkState(folder, old, now);
  } catch (error) {
    await putBack(folder, old, name);
    throw error;
  }
  await removeStaged(folder, old);
}

/** Removes a folder in which there is nothing but what an undo that was killed has moved away, of which the copies are kept. */
async function removeLeftovers(folder: ConfinedFolder, name: string): Promise<boolean> {
  const inner = await folder.openFolder(name);
  try {
    const names = (await inner.entries()).map((entry) => entry.name);
    if (!names.every(isTemporaryName)) return false;
    for (const each of names) await removeStaged(inner, each);
  } finally {
    await inner.close();
  }
  return folder.removeFolder(name);
}

function notEmpty(shown: string): ToolboxError {
  return new ToolboxError("path_changed", shown, `"${shown}" holds what something else has made, so it was left.`);
}

async function putBack(folder: ConfinedFolder, old: string, name: string): Promise<void> {
  try {
    await linkOrCopy(folder.at(old), folder.at(name));
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    const shown = folder.shown(name);
    const problem = `"${shown}" was changed twice while it was being removed: one version is there, the other is "${folder.shown(old)}".`;
    throw new ToolboxError("path_changed", shown, problem);
  }
  await removeStaged(folder, old);
}

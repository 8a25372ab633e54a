import { lstat, rename } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { ToolboxError } from "../errors.ts";
import { type ConfinedFolder, withFolder } from "../files/confine/confined-folder.ts";
import { pathInRoot, type Root } from "../files/confine/root.ts";
import { unlessRefused } from "../files/confine/unless-refused.ts";
import { createFile, linkOrCopy } from "../files/write/create-file.ts";
import { modeOf, removeStaged, stageFile, temporaryName } from "../files/write/staged-file.ts";
import { errorCode, onPath } from "../system-error.ts";
import { changedMeanwhile, checkState, type FileState, type KeptFileState } from "./file-state.ts";

/** A file, what it holds now, and what it is to hold. */
export interface Restoration {
  /** The real path. */
  real: string;
  now: FileState;
  target: { kind: "missing" } | KeptFileState;
  /** The bytes of the target. */
  bytes: Uint8Array;
}

/**
 * Restores a file in one step: it is the old one or the new one. It works through open folders and follows no link. A file that
 * another process changes meanwhile keeps that change, except within the last microseconds before a rename.
 *
 * @throws ToolboxError `path_changed` if the file is not as it is expected to be; what opening its folder throws
 */
export async function restoreFile(root: Root, { real, now, target, bytes }: Restoration): Promise<void> {
  const name = basename(real);
  await onPath(pathInRoot(root, real), () =>
    withFolder(
      root,
      dirname(real),
      async (folder) => {
        if (target.kind === "missing") return remove(folder, name, now);
        if (now.kind === "file") return replace(folder, name, now, bytes);
        if (!(await createFile(folder, name, bytes, neverAborted, target.mode)))
          throw changedMeanwhile(folder.shown(name));
      },
      { create: target.kind === "file" && now.kind === "missing" },
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

/** The file keeps its mode, as with the tools that write. */
async function replace(folder: ConfinedFolder, name: string, now: FileState, bytes: Uint8Array): Promise<void> {
  const temporary = await stageFile(folder, bytes, await modeOf(folder, name));
  const old = temporaryName();
  try {
    // The second name shows whether a program that holds the file open writes to it while it is replaced.
    await linkOrCopy(folder.at(name), folder.at(old));
    await checkState(folder, old, now);
    const ours = await lstat(folder.at(temporary));
    const target = await folder.target(name);
    await checkState(folder, name, now);
    await rename(folder.at(temporary), target);
    await checkState(folder, old, now).catch(async (error: unknown) => {
      if ((await lstat(folder.at(name))).ino === ours.ino) await rename(folder.at(old), folder.at(name));
      throw error;
    });
  } finally {
    await removeStaged(folder, temporary);
    await removeStaged(folder, old);
  }
}

/** Moves the file away, looks at what was moved, and puts it back if it is another one. */
async function remove(folder: ConfinedFolder, name: string, now: FileState): Promise<void> {
  const target = await folder.target(name);
  await checkState(folder, name, now);
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

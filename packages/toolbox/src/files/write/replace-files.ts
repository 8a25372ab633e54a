import { rename } from "node:fs/promises";
import { ToolboxError } from "../../errors.ts";
import { fromSystem } from "../../system-error.ts";
import { type ConfinedFolder, openConfined } from "../confine/confined-folder.ts";
import type { Root } from "../confine/root.ts";
import { linkOrCopy } from "./create-file.ts";
import { checkUnchanged, modeOf, removeStaged, stageFile, temporaryName } from "./staged-file.ts";

/** New text for one file. */
export interface FileChange {
  /** The real path of the folder that it is in. */
  folder: string;
  name: string;
  /** The text that the file must still hold. */
  before: string;
  after: string;
}

/**
 * Changes all files or none. It writes the new texts beside the old files, then swaps them in one after another. If a swap
 * fails, it restores the files before it. A crash during the swaps leaves some files changed.
 *
 * @throws ToolboxError `path_changed` if a file does not hold its `before`; `partly_changed`; see `stageFile`
 */
export async function replaceFiles(root: Root, changes: readonly FileChange[], signal: AbortSignal): Promise<void> {
  const folders = new Map<string, ConfinedFolder>();
  const staged: StagedChange[] = [];
  try {
    for (const { folder: path, name, before, after } of changes) {
      signal.throwIfAborted();
      const folder = folders.get(path) ?? (await openConfined(root, path));
      folders.set(path, folder);
      const bytes = new TextEncoder().encode(after);
      staged.push({ folder, name, before, temporary: await stageFile(folder, bytes, await modeOf(folder, name)) });
    }
    signal.throwIfAborted();
    await swapAll(staged);
  } finally {
    for (const { folder, temporary } of staged) await removeStaged(folder, temporary);
    for (const folder of folders.values()) await folder.close();
  }
}

interface StagedChange {
  folder: ConfinedFolder;
  name: string;
  before: string;
  temporary: string;
}

interface Swapped {
  folder: ConfinedFolder;
  name: string;
  /** The name that keeps the old file until all files are swapped. */
  backup: string;
}

async function swapAll(staged: readonly StagedChange[]): Promise<void> {
  const swapped: Swapped[] = [];
  for (const { folder, name, before, temporary } of staged) {
    try {
      await checkUnchanged(folder, name, before);
      const backup = temporaryName();
      await linkOrCopy(folder.at(name), folder.at(backup));
      swapped.push({ folder, name, backup });
      await rename(folder.at(temporary), await folder.target(name));
    } catch (error) {
      throw errorAfterRestore(fromSystem(error, folder.shown(name)), await restore(swapped));
    }
  }
  for (const { folder, backup } of swapped) await removeStaged(folder, backup);
}

/** @returns the files that could not be restored; their backups keep the old content */
async function restore(swapped: readonly Swapped[]): Promise<Swapped[]> {
  const left: Swapped[] = [];
  for (const file of swapped.toReversed()) {
    const { folder, name, backup } = file;
    try {
      await rename(folder.at(backup), folder.at(name));
      // If both names are links to one file, rename does nothing and keeps both.
      await removeStaged(folder, backup);
    } catch {
      left.push(file);
    }
  }
  return left;
}

function errorAfterRestore(error: unknown, left: readonly Swapped[]): unknown {
  if (!(error instanceof ToolboxError)) return error;
  if (left.length === 0) {
    const message = `${error.message} No file was changed.`;
    return new ToolboxError(error.code, error.path, message, { cause: error });
  }
  const files = left.map(
    ({ folder, name, backup }) => `"${folder.shown(name)}" (old content: "${folder.shown(backup)}")`,
  );
  const message = `${error.message} These files were changed before and could not be restored: ${files.join(", ")}.`;
  return new ToolboxError("partly_changed", error.path, message, { cause: error });
}

import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { access, lstat, rm } from "node:fs/promises";
import { ToolboxError } from "../../errors.ts";
import { errorCode, fromSystem } from "../../system-error.ts";
import type { ConfinedFolder } from "../confine/confined-folder.ts";
import { readTextFile } from "../text/text-file.ts";

/**
 * Writes bytes to a new temporary file and flushes it to disk, so that one rename or link puts it in place.
 *
 * @param mode the permission bits; the system's default when absent
 * @returns its name in the folder
 */
export async function stageFile(folder: ConfinedFolder, bytes: Uint8Array, mode?: number): Promise<string> {
  const temporary = temporaryName();
  // If this throws, nothing is removed, because the created file may be outside the root.
  const handle = await folder.createFile(temporary, mode);
  try {
    try {
      if (mode !== undefined) await handle.chmod(mode);
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    return temporary;
  } catch (error) {
    await removeStaged(folder, temporary);
    throw error;
  }
}

/** A unique name that also identifies files that a crash left. */
export function temporaryName(): string {
  return `.cogency-${randomUUID()}.tmp`;
}

export function isTemporaryName(name: string): boolean {
  return /^\.cogency-[0-9a-f]{8}-[0-9a-f-]{27}\.tmp$/.test(name);
}

/** Removes a temporary file if it is still there. */
export async function removeStaged(folder: ConfinedFolder, temporary: string): Promise<void> {
  await rm(folder.at(temporary)).catch(() => {});
}

/**
 * The permission bits of the file to replace; undefined if there is none. Throws if the file is not writable, because then it
 * must not be replaced either.
 */
export async function modeOf(folder: ConfinedFolder, name: string): Promise<number | undefined> {
  try {
    const stats = await lstat(folder.at(name));
    if (!stats.isFile()) return undefined;
    await access(folder.at(name), constants.W_OK);
    return stats.mode & 0o777;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw fromSystem(error, folder.shown(name));
  }
}

/** @throws ToolboxError `path_changed` if the file does not hold `text` any more */
export async function checkUnchanged(folder: ConfinedFolder, name: string, text: string): Promise<void> {
  const now = await readTextFile(folder, name, Buffer.byteLength(text));
  if (now.kind === "text" && now.text === text) return;
  const shown = folder.shown(name);
  const problem = `"${shown}" was changed by another process after it was read, so it was not changed.`;
  throw new ToolboxError("path_changed", shown, `${problem} Read it again, then try again.`);
}

import { constants } from "node:fs";
import { copyFile, link } from "node:fs/promises";
import { errorCode } from "../../system-error.ts";
import type { ConfinedFolder } from "../confine/confined-folder.ts";
import { removeStaged, stageFile } from "./staged-file.ts";

/**
 * Creates a file with its whole content in one step.
 *
 * @param mode the permission bits; the system's default when absent
 * @returns false if the name is taken, also if another process took it meanwhile; that file is not changed
 */
export async function createFile(
  folder: ConfinedFolder,
  name: string,
  bytes: Uint8Array,
  signal: AbortSignal,
  mode?: number,
): Promise<boolean> {
  const temporary = await stageFile(folder, bytes, mode);
  try {
    signal.throwIfAborted();
    await linkOrCopy(folder.at(temporary), await folder.target(name));
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  } finally {
    await removeStaged(folder, temporary);
  }
}

/** Links a file to a free name, or copies it on file systems without hard links. */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!withoutLinks.has(errorCode(error) ?? "")) throw error;
    await copyFile(from, to, constants.COPYFILE_EXCL);
  }
}

const withoutLinks = new Set(["EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP", "EMLINK"]);

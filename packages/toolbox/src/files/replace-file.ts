import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { access, lstat, rename, rm } from "node:fs/promises";
import type { ConfinedFolder } from "./confined-folder.ts";
import { errorCode } from "./system-error.ts";

/**
 * Replaces a file by new bytes or creates it, in one step: whoever reads it meanwhile sees the old content or the new.
 * The mode of a replaced file is kept; a link to it from elsewhere (a hard link) keeps the old content.
 */
export async function replaceFile(
  folder: ConfinedFolder,
  name: string,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<void> {
  const mode = await modeOf(folder, name);
  const temporary = `.cogency-${randomUUID()}.tmp`;
  // Refused here, nothing is removed: what was made is then not known to be inside.
  const handle = await folder.createFile(temporary, mode);
  try {
    try {
      if (mode !== undefined) await handle.chmod(mode);
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    signal.throwIfAborted();
    await rename(folder.at(temporary), folder.at(name));
  } catch (error) {
    await rm(folder.at(temporary)).catch(() => {});
    throw error;
  }
}

/** The permission bits of the file that is to be replaced. A file that may not be written may not be replaced either. */
async function modeOf(folder: ConfinedFolder, name: string): Promise<number | undefined> {
  try {
    const stats = await lstat(folder.at(name));
    if (!stats.isFile()) return undefined;
    await access(folder.at(name), constants.W_OK);
    return stats.mode & 0o777;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

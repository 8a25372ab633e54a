import { rename } from "node:fs/promises";
import type { ConfinedFolder } from "../confine/confined-folder.ts";
import { modeOf, removeStaged, stageFile } from "./staged-file.ts";

/**
 * Replaces a file by new bytes or creates it, in one step: a reader sees the old content or the new. The new file keeps the mode
 * of the old one; other hard links of the old file keep the old content.
 *
 * @param check called right before; if it throws, nothing is changed
 */
export async function replaceFile(
  folder: ConfinedFolder,
  name: string,
  bytes: Uint8Array,
  signal: AbortSignal,
  check?: () => Promise<void>,
): Promise<void> {
  const temporary = await stageFile(folder, bytes, await modeOf(folder, name));
  try {
    await check?.();
    signal.throwIfAborted();
    await rename(folder.at(temporary), await folder.target(name));
  } catch (error) {
    await removeStaged(folder, temporary);
    throw error;
  }
}

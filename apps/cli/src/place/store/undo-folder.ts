import { mkdir } from "node:fs/promises";
import { note } from "../../base/terminal/note.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { storeFolder } from "./store-folder.ts";

/** Where the copies for undo are. Undefined for a store in memory, for which nothing is kept. */
export function undoFolder(store: string): string | undefined {
  return storeFolder(store, "undo");
}

/**
 * Makes the folder, which is out of reach of tools and commands: the sandbox would put a file in the place of one that is not there.
 * If it cannot be made, says so on stderr and returns undefined; then nothing is kept.
 */
export async function madeUndoFolder(store: string): Promise<string | undefined> {
  const folder = undoFolder(store);
  if (folder === undefined) return undefined;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  } catch (error) {
    const { code = "an unknown problem" } = error as NodeJS.ErrnoException;
    note(`Nothing can be kept in ${oneLine(folder, 200)} (${code}): what the agent changes now cannot be undone.`);
    return undefined;
  }
}

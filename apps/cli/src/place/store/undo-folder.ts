import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { realPath } from "../../base/files/real-path.ts";
import { note } from "../../base/terminal/note.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { isServer, shownStore } from "./store-address.ts";
import { dataFolder, ownStore } from "./store-path.ts";

/**
 * Where the copies for undo are: `undo` beside the app's own store, `<file>.undo` beside another one, and for a server a folder
 * with the app's data that is named after a hash of the address. Undefined for a store in memory, for which nothing is kept.
 */
export function undoFolder(store: string): string | undefined {
  if (store === ":memory:") return undefined;
  if (isServer(store)) {
    const hash = createHash("sha256").update(shownStore(store)).digest("hex");
    return join(dataFolder(), `undo-${hash.slice(0, 16)}`);
  }
  const file = realPath(resolve(store)) ?? resolve(store);
  const isOwn = file === (realPath(ownStore()) ?? ownStore());
  return isOwn ? join(dirname(file), "undo") : `${file}.undo`;
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

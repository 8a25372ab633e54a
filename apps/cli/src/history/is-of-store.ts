import { realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { isServer } from "../store-address.ts";

/** Whether a path leads to a file of the store, by whatever name: SQLite keeps more of them beside the one it is given. */
export async function isOfStore(path: string, store: string): Promise<boolean> {
  if (isServer(store)) return false;
  const [target, file] = await Promise.all([real(path), real(store)]);
  return ["", "-wal", "-shm", "-journal"].some((suffix) => target === file + suffix);
}

/** Where a path leads, also if nothing is there yet. */
async function real(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const folder = dirname(resolve(path));
    return join(await realpath(folder).catch(() => folder), basename(path));
  }
}

import { open } from "node:fs/promises";

/** Puts the names in a folder on disk. */
export async function flushFolder(path: string): Promise<void> {
  // Windows cannot open a folder.
  if (process.platform === "win32") return;
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

import { closeSync, fsyncSync, openSync } from "node:fs";

/**
 * Waits until a file, or the entries of a folder, are on the disk. Windows cannot flush a folder and does not need to.
 */
export function flush(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") throw error;
  } finally {
    closeSync(descriptor);
  }
}

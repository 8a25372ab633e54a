import { closeSync, fsyncSync, openSync } from "node:fs";

/** Waits until the disk has a file, or what a folder lists. Windows cannot flush a folder, and needs not. */
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

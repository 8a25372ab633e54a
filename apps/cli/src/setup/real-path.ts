import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Where an absolute path leads, links followed, also if nothing is there yet. Undefined for a link that leads nowhere, and
 * where the system does not tell.
 */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || isThere(path)) return undefined;
    const folder = dirname(path) === path ? undefined : realPath(dirname(path));
    return folder === undefined ? undefined : join(folder, basename(path));
  }
}

/** Also of a link whose target is not there. */
function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

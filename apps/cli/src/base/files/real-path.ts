import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Follows the links of an absolute path, also if nothing is there yet. Undefined for a link that leads nowhere, and if the
 * system refuses to tell.
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

/** Finds a link, too, whose target does not exist. */
function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { ownFolder } from "./own-folder.ts";

/**
 * Where the compiled code of the app is kept: in the user's folder for caches. A relative XDG_CACHE_HOME is ignored, as XDG
 * demands. NODE_COMPILE_CACHE is ignored, too: it may be a relative path, and then a cloned repository could hold the folder.
 * Undefined if the home folder is relative, too.
 */
export function compiledFolder(): string | undefined {
  const caches = cacheFolder();
  return caches && join(caches, ...names);
}

/**
 * Opens the folder, and makes it if it is missing.
 *
 * @param more names of folders in it
 * @returns its real path; undefined if others than the user could change it, or if it cannot be made
 */
export function openCompiledFolder(...more: string[]): string | undefined {
  const caches = cacheFolder();
  return caches && ownFolder(caches, [...names, ...more]);
}

const names = ["cogency", "compiled"];

function cacheFolder(): string | undefined {
  const { XDG_CACHE_HOME: given } = process.env;
  const caches = given && isAbsolute(given) ? given : join(homedir(), ".cache");
  return isAbsolute(caches) ? caches : undefined;
}

import { mkdirSync, statSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";

/** Where Node keeps the compiled modules of the app. A relative XDG_CACHE_HOME is ignored, as XDG demands. */
export function compiledFolder({ XDG_CACHE_HOME: given }: NodeJS.ProcessEnv = process.env): string {
  return join(given && isAbsolute(given) ? given : join(homedir(), ".cache"), "cogency", "compiled");
}

/**
 * Lets Node keep compiled modules, so that the next start is faster. What is kept is run, so the folder must be the user's
 * alone. Without such a folder nothing is kept. NODE_COMPILE_CACHE names another one, NODE_DISABLE_COMPILE_CACHE turns it off.
 */
export function keepCompiled(): void {
  const { NODE_COMPILE_CACHE: given, NODE_DISABLE_COMPILE_CACHE: off } = process.env;
  if (given || off) return;
  const folder = compiledFolder();
  if (isPrivate(folder)) enableCompileCache(folder);
}

function isPrivate(folder: string): boolean {
  try {
    makeFolder(folder);
    const { mode, uid } = statSync(folder);
    return process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0);
  } catch {
    return false;
  }
}

/** Makes the missing folders one by one: where none can be made, such as in /proc, Node's recursive ways never end. */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(above);
  mkdirSync(folder, { mode: 0o700 });
}

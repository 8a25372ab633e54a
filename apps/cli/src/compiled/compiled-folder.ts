import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/**
 * Where the compiled code of the app is kept: in the user's folder for caches. A relative XDG_CACHE_HOME is ignored, as XDG
 * demands. NODE_COMPILE_CACHE is ignored, too: it may be a relative path, and then a cloned repository could hold the folder.
 * Undefined if the home folder is relative, too.
 */
export function compiledFolder(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const { XDG_CACHE_HOME: given } = environment;
  const caches = given && isAbsolute(given) ? given : join(homedir(), ".cache");
  return isAbsolute(caches) ? join(caches, "cogency", "compiled") : undefined;
}

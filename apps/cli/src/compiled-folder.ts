import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/**
 * Where the compiled code of the app is kept: in NODE_COMPILE_CACHE if it is set. A relative XDG_CACHE_HOME is ignored, as XDG
 * demands.
 */
export function compiledFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const { NODE_COMPILE_CACHE: given, XDG_CACHE_HOME: caches } = environment;
  if (given) return join(given, "cogency");
  return join(caches && isAbsolute(caches) ? caches : join(homedir(), ".cache"), "cogency", "compiled");
}

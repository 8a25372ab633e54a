import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** The user's configuration folder of the app, in XDG_CONFIG_HOME. A relative XDG_CONFIG_HOME is ignored, as XDG demands. */
export function configurationFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const { XDG_CONFIG_HOME: given } = environment;
  return join(given && isAbsolute(given) ? given : join(homedir(), ".config"), "cogency");
}

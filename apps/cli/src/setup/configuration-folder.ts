import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** Where the app keeps what is the user's own: XDG_CONFIG_HOME, which is ignored where it is relative, as XDG demands. */
export function configurationFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const { XDG_CONFIG_HOME: given } = environment;
  return join(given && isAbsolute(given) ? given : join(homedir(), ".config"), "cogency");
}

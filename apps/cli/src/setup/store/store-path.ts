import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/**
 * The default of `--store`: COGENCY_STORE, else a file in the user's data folder. A relative XDG_DATA_HOME is ignored, as XDG
 * demands.
 */
export function defaultStore(): string {
  const { COGENCY_STORE: store, XDG_DATA_HOME: data } = process.env;
  if (store) return store;
  return data && isAbsolute(data) ? join(data, "cogency", "cogency.db") : join(homedir(), ".cogency", "cogency.db");
}

import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/**
 * Where conversations are kept unless `--store` says otherwise: where COGENCY_STORE says, else in the user's own file. A
 * relative XDG_DATA_HOME is ignored, as XDG demands.
 */
export function defaultStore(): string {
  const { COGENCY_STORE: store, XDG_DATA_HOME: data } = process.env;
  if (store) return store;
  return data && isAbsolute(data) ? join(data, "cogency", "cogency.db") : join(homedir(), ".cogency", "cogency.db");
}

import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** Where conversations are kept unless `--store` says otherwise. A relative XDG_DATA_HOME is ignored, as XDG demands. */
export function defaultStore(): string {
  const data = process.env.XDG_DATA_HOME;
  return data && isAbsolute(data) ? join(data, "cogency", "cogency.db") : join(homedir(), ".cogency", "cogency.db");
}

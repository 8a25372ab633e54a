import { join } from "node:path";
import { dataFolder } from "../store/store-path.ts";

/** Where the logs of servers are. */
export function serverLogFolder(): string {
  return join(dataFolder(), "mcp-logs");
}

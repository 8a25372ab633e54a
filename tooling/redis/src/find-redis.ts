import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The path of `redis-server`, or of Valkey's; undefined if there is none. COGENCY_REDIS_SERVER names the only one to take. */
export function findRedis(): string | undefined {
  const chosen = process.env.COGENCY_REDIS_SERVER;
  if (chosen !== undefined) return existsSync(chosen) ? chosen : undefined;
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/bin", "/usr/local/bin"];
  const programs = folders.flatMap((folder) => ["redis-server", "valkey-server"].map((name) => join(folder, name)));
  return programs.find((path) => existsSync(path));
}

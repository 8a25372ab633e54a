import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Peer } from "./peers/peer.ts";
import { writeJson } from "./peers/write-json.ts";

/** Where the peers are kept, each in a folder of its own, so that another run finds them. */
export const cacheFolder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "cogency-peers");

/** The folder that a peer is installed in. */
export function folderOf({ name, from }: Peer): string {
  return join(cacheFolder, from ? `${name}-${from.version}` : name);
}

/**
 * Installs a peer from the npm registry, unless it is there.
 *
 * @param mayAsk whether the registry can be reached
 * @returns why it could not be installed, or nothing
 */
export function install(peer: Peer, mayAsk: boolean): string | undefined {
  const folder = folderOf(peer);
  mkdirSync(folder, { recursive: true });
  const { from } = peer;
  const whole = join(folder, "installed.json");
  if (!from || existsSync(whole)) return;
  if (!mayAsk) return "it could not be installed from the npm registry";
  writeJson(join(folder, "package.json"), { private: true });
  // No install scripts are needed but claude's and opencode's, which put the program for this platform in its place.
  const words = ["install", "--no-audit", "--no-fund", "--loglevel=error", `${from.package}@${from.version}`];
  const { status, stderr, error } = spawnSync("npm", words, { cwd: folder, encoding: "utf8", timeout: 180_000 });
  if (status === 0) return void writeJson(whole, from);
  const [reason = "npm failed"] = (error?.message ?? stderr).split("\n");
  return `it could not be installed: ${reason}`;
}

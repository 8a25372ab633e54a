import { spawn, spawnSync } from "node:child_process";
import { getuid } from "node:process";

const confined = "COGENCY_PEERS_CONFINED";

/** Whether this process sees no network but loopback. */
export const isConfined = process.env[confined] === "1";

/**
 * Runs this program again in a network that has loopback and nothing else, by `unshare` of util-linux and `ip`. Signals are passed on.
 *
 * @returns its exit code, or nothing if this machine does not let it
 */
export async function runConfined(): Promise<number | undefined> {
  const asUser = getuid?.() === 0 ? [] : ["--user", "--map-current-user", "--keep-caps"];
  const walls = ["--net", ...asUser, "--", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"];
  if (spawnSync("unshare", [...walls, "true"], { stdio: "ignore" }).status !== 0) return;
  const words = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const child = spawn("unshare", [...walls, ...words], { stdio: "inherit", env: { ...process.env, [confined]: "1" } });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => child.once("error", reject).once("exit", (code) => resolve(code ?? 1)));
}

import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const root = new URL("../../", import.meta.url);

/** A process to start: a file and its arguments, with the folder and the environment it needs. */
export interface Command {
  file: string;
  args: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
}

/** Turbo in the workspace, without telemetry. */
export function turbo(args: readonly string[]): Command {
  return {
    file: process.execPath,
    args: [createRequire(root).resolve("turbo/bin/turbo"), ...args],
    cwd: fileURLToPath(root),
    env: { ...process.env, DO_NOT_TRACK: "1", TURBO_TELEMETRY_DISABLED: "1", TURBO_NO_UPDATE_NOTIFIER: "1" },
  };
}

/** Runs turbo with the arguments of this script; with `--quiet` its output is shown only if it fails. */
function main(): void {
  const isQuiet = process.argv.includes("--quiet");
  const args = process.argv.slice(2).filter((arg) => arg !== "--quiet");
  const { file, args: all, cwd, env } = turbo(isQuiet ? [...args, "--output-logs=errors-only"] : args);
  const { status, error, stdout, stderr } = spawnSync(file, all, {
    cwd,
    env,
    stdio: isQuiet ? ["ignore", "pipe", "pipe"] : "inherit",
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  if (error) throw error;
  if (isQuiet && status !== 0) process.stderr.write(`${stdout}${stderr}`);
  process.exitCode = status ?? 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();

import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const root = new URL("../../", import.meta.url);

/**
 * Runs turbo in the workspace, without telemetry. Its output is shown as it comes, or with `isQuiet` only if it fails.
 *
 * @returns the exit code
 */
export function turbo(args: readonly string[], isQuiet = false): number {
  const bin = createRequire(root).resolve("turbo/bin/turbo");
  const quiet = isQuiet ? ["--output-logs=errors-only"] : [];
  const { status, error, stdout, stderr } = spawnSync(process.execPath, [bin, ...args, ...quiet], {
    cwd: fileURLToPath(root),
    env: { ...process.env, DO_NOT_TRACK: "1", TURBO_TELEMETRY_DISABLED: "1", TURBO_NO_UPDATE_NOTIFIER: "1" },
    stdio: isQuiet ? ["ignore", "pipe", "pipe"] : "inherit",
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  if (error) throw error;
  if (isQuiet && status !== 0) process.stderr.write(`${stdout}${stderr}`);
  return status ?? 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const args = process.argv.slice(2);
  process.exitCode = turbo(
    args.filter((arg) => arg !== "--quiet"),
    args.includes("--quiet"),
  );
}

import { spawnSync } from "node:child_process";

/** Runs a command in a folder and returns its stdout. If it fails, throws with its stdout and stderr. */
export function outputOf(command: string, args: string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (error) throw new Error(`${command} cannot be started (${error.message}); run this check as a script of pnpm.`);
  if (status !== 0) throw new Error(`${command} ${args[0]} failed in ${cwd}:\n${stdout}${stderr}`);
  return stdout;
}

import { existsSync, readFileSync } from "node:fs";

/** Whether a process runs; one that has ended and that nobody has waited for does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const status = `/proc/${pid}/stat`;
  return !existsSync(status) || !/^\d+ \(.*\) Z/s.test(readFileSync(status, "utf8"));
}

/** The ids in a file, a line each. */
export function pidsIn(file: string): number[] {
  return linesIn(file).map(Number);
}

export function linesIn(file: string): string[] {
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
}

import { spawnSync } from "node:child_process";
import { readdirSync, readlinkSync } from "node:fs";
import { expect, vi } from "vitest";

/** Waits until a process has ended. A zombie counts as ended. */
export async function expectGone(pid: number): Promise<void> {
  expect(pid).toBeGreaterThan(1);
  await expect.poll(() => state(pid), { timeout: 10_000 }).toMatch(/^(Z|$)/);
}

export function isRunning(pid: number): boolean {
  return !/^(Z|$)/.test(state(pid));
}

function state(pid: number): string {
  return spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).stdout.trim();
}

/** Waits until no process has its working directory in a folder, whatever its pid in a sandbox is. */
export async function expectNothingLeft(folder: string): Promise<void> {
  // Unlike `expect.poll`, it also works in tests that run side by side.
  await vi.waitFor(() => expect(workingIn(folder)).toEqual([]), { timeout: 60_000 });
}

/** The pids of the processes whose working directory is in a folder. */
export function workingIn(folder: string): string[] {
  return readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && linkOf(`/proc/${pid}/cwd`).endsWith(folder));
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

import { spawnSync } from "node:child_process";
import { expect } from "vitest";

/** Waits until a process has ended; one that nobody has collected yet counts as ended. */
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

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { endTree } from "./process-tree.ts";

describe("endTree", () => {
  const folder = mkdtempSync(join(tmpdir(), "process-tree-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("ends descendants that are busy, deaf to signals and in sessions of their own", async () => {
    writeFileSync(
      join(folder, "tree.cjs"),
      `process.on("SIGTERM", () => {});
       require("node:fs").appendFileSync("pids", process.pid + "\\n");
       const depth = Number(process.argv[2]);
       const options = { detached: true, stdio: "ignore" };
       if (depth > 0) require("node:child_process").spawn(process.execPath, ["tree.cjs", depth - 1], options);
       else for (;;);
       setInterval(() => {}, 1000);`,
    );
    const file = join(folder, "pids");
    const pids = () => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").map(Number) : []);
    const root = spawn(process.execPath, ["tree.cjs", "2"], { cwd: folder, stdio: "ignore" });
    await expect.poll(() => pids().length, { timeout: 60_000 }).toBe(3);
    expect(pids().filter(isAlive)).toEqual(pids());

    endTree(root.pid ?? 0);
    await expect.poll(() => pids().filter(isAlive), { timeout: 30_000 }).toEqual([]);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // A killed process stays listed until its parent, or the process that adopted it, reads its exit code.
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || !/\) Z /.test(readFileSync(stat, "utf8"));
}

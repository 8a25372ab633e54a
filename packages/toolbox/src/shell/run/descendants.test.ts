import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { descendants } from "./descendants.ts";

describe.runIf(process.platform === "linux")("descendants", () => {
  it("are found in sessions of their own, too, and below one that has others", async () => {
    const script = "setsid sleep 600 & (sleep 600 & echo ready; wait)";
    const child = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"], detached: true });
    const pid = child.pid as number;
    onTestFinished(async () => {
      for (const each of [...(await descendants(pid)), pid]) process.kill(each, "SIGKILL");
    });
    await once(child.stdout, "data");
    await expect.poll(async () => (await descendants(pid)).length, { timeout: 60_000 }).toBe(3);
    expect(await descendants(process.pid)).toEqual(expect.arrayContaining([pid, ...(await descendants(pid))]));
  });

  it("starts no program of the PATH, where a command may have put its own", async () => {
    const folder = await mkdtemp(join(tmpdir(), "cogency-path-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, "ps"), `#!/bin/sh\necho started > ${folder}/log\n`);
    await chmod(join(folder, "ps"), 0o755);
    const { PATH } = process.env;
    onTestFinished(() => {
      process.env.PATH = PATH;
    });
    process.env.PATH = `${folder}:${PATH}`;
    await descendants(process.pid);
    expect(await readdir(folder)).toEqual(["ps"]);
  });
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { isGone, processOf, runOwner } from "./run-owner.ts";

/** As the agent names a run. */
const run = (owner: string) => `${owner}#7d444840`;

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(child, "exit");
  return child.pid ?? 0;
}

describe("the owner of a lease", () => {
  it("lives as long as its process", () => {
    expect(isGone(runOwner())).toBe(false);
    expect(isGone(run(runOwner()))).toBe(false);
  });

  it("is gone when its process is", async () => {
    const owner = runOwner().replace(`process ${process.pid}`, `process ${await deadPid()}`);
    expect(isGone(run(owner))).toBe(true);
  });

  it.runIf(process.platform === "linux")("is gone when another process has its number", () => {
    expect(isGone(run(runOwner().replace(/:\d+\)$/, ":1)")))).toBe(true);
  });

  it.each([
    ["another machine", (owner: string) => owner.replace(/ on \S+/, " on elsewhere")],
    ["another start of this machine", (owner: string) => owner.replace(/\([^:]*:/, "(another:")],
    ["another program", () => "worker-17"],
    ["nobody", () => ""],
  ])("is not known to be gone if it is of %s", async (_, change) => {
    const dead = runOwner().replace(`process ${process.pid}`, `process ${await deadPid()}`);
    expect(isGone(change(dead))).toBe(false);
  });

  it("says to a person which process it is", () => {
    expect(processOf(run(runOwner()))).toMatch(new RegExp(`^process ${process.pid} on \\S+$`));
    expect(processOf("worker-17")).toBeUndefined();
  });
});

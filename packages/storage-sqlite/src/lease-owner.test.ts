import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { isOwnerGone, leaseOwner, processOfOwner } from "./lease-owner.ts";

/** The agent adds an id of the run to the owner. */
const run = (owner: string) => `${owner}#7d444840`;

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(child, "exit");
  return child.pid ?? 0;
}

describe("the owner of a lease", () => {
  it("is not gone while its process runs", () => {
    expect(isOwnerGone(leaseOwner())).toBe(false);
    expect(isOwnerGone(run(leaseOwner()))).toBe(false);
  });

  it("is gone when its process has ended", async () => {
    const owner = leaseOwner().replace(`process ${process.pid}`, `process ${await deadPid()}`);
    expect(isOwnerGone(run(owner))).toBe(true);
  });

  it.runIf(process.platform === "linux")("is gone when another process has its number", () => {
    expect(isOwnerGone(run(leaseOwner().replace(/:\d+\)$/, ":1)")))).toBe(true);
  });

  it.each([
    ["a process of another machine", (owner: string) => owner.replace(/ on \S+/, " on elsewhere")],
    ["a process of an earlier start of this machine", (owner: string) => owner.replace(/\([^:]*:/, "(another:")],
    ["a name of another form", () => "worker-17"],
    ["an empty name", () => ""],
  ])("is not known to be gone if it is %s", async (_, change) => {
    const dead = leaseOwner().replace(`process ${process.pid}`, `process ${await deadPid()}`);
    expect(isOwnerGone(change(dead))).toBe(false);
  });

  it("has a part that a person can read", () => {
    expect(processOfOwner(run(leaseOwner()))).toMatch(new RegExp(`^process ${process.pid} on \\S+$`));
    expect(processOfOwner("worker-17")).toBeUndefined();
  });
});

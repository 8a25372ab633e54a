import { spawnSync } from "node:child_process";
import { SkippedError } from "../../harness/attack.ts";
import type { Place } from "../../harness/place.ts";

export function git(place: Place, args: readonly string[], cwd = place.root): void {
  const identity = ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "init.defaultBranch=main"];
  const { status, error, stderr } = spawnSync("git", [...identity, ...args], {
    cwd,
    env: { PATH: process.env.PATH, HOME: place.home, GIT_CONFIG_NOSYSTEM: "1" },
    encoding: "utf8",
  });
  if (error) throw new SkippedError("there is no git");
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
}

import { spawnSync } from "node:child_process";
import { SkippedError } from "../../harness/attack.ts";
import type { Place } from "../../harness/place.ts";

export function git(place: Place, args: readonly string[], cwd = place.root): void {
  const { error } = spawnSync("git", [...args], { cwd, env: gitEnvironment(place), timeout: 10_000 });
  if (error && "code" in error && error.code === "ENOENT") throw new SkippedError("there is no git");
}

function gitEnvironment({ home }: Place) {
  const author = {
    GIT_AUTHOR_NAME: "a",
    GIT_AUTHOR_EMAIL: "a@b.c",
    GIT_COMMITTER_NAME: "a",
    GIT_COMMITTER_EMAIL: "a@b.c",
  };
  return { PATH: process.env.PATH, HOME: home, ...author };
}

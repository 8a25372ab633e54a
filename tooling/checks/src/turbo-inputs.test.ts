import { spawnSync } from "node:child_process";
import { turbo } from "@tooling/turbo";
import { describe, expect, it } from "vitest";

describe("the cache of the tests", () => {
  it("knows that the app's tests read the README at the top", () => {
    const { file, args, cwd, env } = turbo(["run", "test", "--filter=cogency", "--dry=json"]);
    // Outside of a Git repository the list also contains installed files.
    const maxBuffer = Number.POSITIVE_INFINITY;
    const { stdout, stderr } = spawnSync(file, args, { cwd, env, encoding: "utf8", maxBuffer });
    expect(stdout, stderr).not.toBe("");
    const { tasks } = JSON.parse(stdout) as { tasks: { taskId: string; inputs: Record<string, string> }[] };
    const inputs = Object.keys(tasks.find(({ taskId }) => taskId === "cogency#test")?.inputs ?? {});
    expect(inputs).toEqual(expect.arrayContaining(["../../README.md", "README.md", "test/demo.test.ts"]));
  });
});
